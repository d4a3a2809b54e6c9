"""The words of the course protocol and the rules of the conversation; no socket, no clock.

messages      every message as a frozen value
faults        what can be wrong with what a peer says: the closed list of reasons
writing       messages to bytes
reading       bytes to messages: parse, validate, convert
framing       cutting a stream of bytes into documents
conversation  who may say what, when: one literal table
inbox         framing, reading and conversation of one connection together
"""
