"""An administrator tried by many players, all of them ours, and judged by what it sends.

requirements        the cases: what an administrator has to do, and where that is written
exchanges           what one connection was sent and answered; the misbehaving cast
explorer            an honest player that looks for what has not happened yet
seat_client         one connection: signs up, answers, keeps the time
plans               which matches are played, who sits in them, and with which bag
match_player        an administrator, started or found at an address, and a match at it
sent_messages       the messages of a match one by one, what differs in them, and what they show
game_moment         what has happened since the last message that was right
causes              which rule a difference comes from
other_bonuses       other ways to pay bonuses, which a cause may be
breaches            breaches in words: the findings
lockstep            the referee in step with what was sent: every difference is a finding
whole_match         what a match shows as a whole: forms, names, clocks
administrator_check  plays the matches, several at a time, and judges the cases
"""
