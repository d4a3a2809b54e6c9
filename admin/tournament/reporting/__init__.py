"""The report of a tournament: pages and tables, written into a folder.

report_files   the content of a report, its files, and the folder that they are written into
index_page     the page with all results
"""
