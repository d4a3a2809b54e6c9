"""Recorded matches driven into players again."""
