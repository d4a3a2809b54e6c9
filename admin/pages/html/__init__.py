"""Pages that are files: each has its scripts and styles inside.

html_page     what all pages share: page.jinja, page.css, text.js, the content security policy
replay_page   the page of one game, and its scripts and style sheet
check_page    the report of a check
board_svg     a position as a picture
pictures      pictures to share, as GIF and PNG
"""
