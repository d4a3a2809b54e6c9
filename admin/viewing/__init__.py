"""A match for eyes: what happened, step by step, each with the position after it.

steps      events in, steps out: plain values that any viewer can show
sentences  what happened, in words
secrets    what a spectator may not see before the end
"""
