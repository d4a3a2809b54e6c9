"""The report of a tournament: a site of pages, and tables, written into a folder.

page_files     the names of the files, and how pages link to each other
game_story     a game played again from its log: its decisive turn, why players were ejected
losses         the games of a player, the lost ones by cause
game_page      the page of a game
player_page    the page of a player
index_page     the page with all results
aliases        what stands for the names of players in a public report
public_edition a copy of the store with aliases
grades         grades by student
live_report    the report of a tournament that is being played
live_server    the process that serves it, beside the live games
report_content all that the figures of a report depend on
game_pages     the pages of games, made while their logs are verified
report_files   the other files of a report
report_writer  the folder that they are written into
"""
