"""Tests of ``acquire check``: the cases, the players that fail them, the reports."""
