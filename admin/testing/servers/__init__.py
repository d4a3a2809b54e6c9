"""An administrator tried by many players, all of them ours, and judged by what it sends.

exchanges       what one connection was sent and what it answered; all connections of a match
explorer        an honest player that looks for what has not happened yet
seat_client     one connection: signs up, answers, keeps the time
line_up         who sits at a table, and what for
plans           which matches are played
rehearsal       matches played beforehand, to find bags
source          where the administrator is: a command that is started, or an address
match_player    a match: all connections at once
table_seen      the position and the draws that all connections together show
sent_messages   the messages of a match as they are taken one by one
differences     what differs between two messages, in words
milestones      which cases the events of a game come to
game_moment     what has happened since the last message that was right
bonus_causes    other ways to pay bonuses
causes          which rule a difference comes from
breaches        breaches in words: the findings
lockstep        the referee in step with what was sent: every difference is a finding
whole_match     what a match shows as a whole: forms, names, clocks
requirements    the cases: what an administrator has to do, and where that is written
administrator_check  plays the matches, several at a time, and judges the cases
"""
