"""The words of the protocol and the rules of the conversation; no socket, no clock.

dialect       the course's words, or the dialect that contains them
messages      every message as a frozen value
player_view   what one player may see of a position: the only place that hides anything
position_messages  positions made into messages: in the open, or as each player sees them
faults        what can be wrong with what a peer says: the closed list of reasons
writing       messages to bytes
reading       bytes to messages: parse, validate, convert
schema_errors why the schema refused an element, in plain words
framing       cutting a stream of bytes into documents
conversation  who may say what, when: two literal tables
inbox         framing, reading and conversation of one connection together
"""
