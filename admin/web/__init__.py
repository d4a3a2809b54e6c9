"""Matches for spectators: pages of a process of its own, which cannot disturb a match.

    feed       what the match's process hands over: log bytes as they are written, who waits
    stage      one match as spectators may see it: its log retold, hidden hands taken out
    site       the pages, and the streams that feed them
    __main__   the process: the feed on standard input, HTTP on the port it is given
    serving    the same process seen from the other: started, and ended with it
    showing    what a server's matches say to the feed
    watching   a terminal that reads the streams

The process that referees writes to a pipe and never waits. All that watching costs is paid in the
other one.
"""
