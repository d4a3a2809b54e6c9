"""The report of a tournament: a site of pages, and tables, written into a folder.

published      the names of the files, the rows in them, and what every file has to be
game_story     a game played again from its log: its decisive turn, why players were ejected;
               the games of a player, the lost ones by cause
game_page      the pages of games, made while their logs are verified
result_pages   the pages with results: the index, the list of games, one per player; plots
minimal_matches the shortest match with each kind of loss
public_edition a copy of the store with aliases for the names of players
grades         grades by student
live_report    the report of a tournament that is being played, and the process that serves it
report_content all that the figures of a report depend on
csv_tables     the standings, the games and the grades as CSV
report_files   the other files of a report, and the folder that all are written into
"""
