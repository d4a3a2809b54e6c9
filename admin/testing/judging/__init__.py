"""Plays cases and judges them.

checker        plays all cases, several at a time
case_judge     turns the result of a trial into a verdict on its case
case_warnings  what a player did that is legal but unwise
case_hints     the hint of a case, where nothing better is known
case_result    the verdict on one case, and the evidence
check_result   the result of the whole check
"""
