"""The messages of the protocol and the order in which they may be sent; no socket, no clock.

    dialect            the course's messages, or the dialect that contains them
    messages           every message as a frozen value
    player_view        what one player may see of a position: the only place that hides anything
    position_messages  the messages that carry a position
    knowledge          what a connection was sent, as questions
    question           a question with its legal answers, in the position as its player knows it
    sayable            what of an answer no message can say
    faults             what a peer can do wrong: a closed list of reasons; a probable mistake
    player_names       how long a name may be, and which names look alike
    writing            messages to bytes, which can be validated
    reading            bytes to messages: parse, validate, convert
    invalid_xml        why XML is no valid message, in plain words, and how it is written
    framing            cutting a stream of bytes into documents
    conversation       who may send what, when: two literal tables
    inbox              framing, reading and conversation of one connection
    files              a file that others may have put there: read at most so much, replace whole
    settings_file      a TOML file, and the mistakes in it
    user_error         errors that tell the user what is wrong
    commands           commands declared as frozen classes
    plugins            installed strategies, commands, seats, and packages of extras; a strategy
                       from a file of Python
    settings_without_effect  those of a rulebook file that can change nothing
    rulebook_file      a rulebook from a file, and as JSON for logs and other processes

A peer's fault is a value, :class:`acquire.protocol.faults.Fault`. An exception is a bug on this
side:

    ProtocolError
    ├── LocalProtocolError   this side tries to send what the conversation does not allow
    └── InvalidOutput        the referee tries to send what its schema rejects
"""
