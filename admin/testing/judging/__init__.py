"""Plays cases and judges them.

checker        plays all cases, several at a time
case_judge     turns the result of a trial into a verdict on its case, with warnings and a hint
common_cause   explains the refused orders of a whole check together
check_result   the verdict on each case with the evidence, and the result of the whole check
"""
