"""What the check finds, and in whom."""
