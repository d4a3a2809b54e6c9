"""Match logs: written as the match goes, read, and verified by playing them again.

writer       one record per event
reader       a file, validated, as records
verifier     the referee run on the recorded answers, and every record compared
live_reader  the same for a log that is still being written, without comparing
"""
