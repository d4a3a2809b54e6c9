"""Live pages for spectators, from a process of their own, which cannot disturb a game.

table_publisher
            what a referee's games send into the feed
live_game   one game as spectators may see it: its log replayed, hidden hands taken out
lobby       what the lobby page shows, and the stream of what changes in it
site        the pages, their addresses, and the event streams that keep them up to date; the
            process that serves them, with the feed on its standard input
asgi_server serves an application, such as ``site``, over HTTP/1.1
application what applications have in common: names, event streams, what is no page
serving     starts and stops that process; the feed, a pipe to it
watcher     shows an event stream in a terminal

The referee's process writes to a pipe and never waits; the other one bears the cost of watching.
"""
