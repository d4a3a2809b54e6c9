"""The rulebooks compared: ``rows`` says what each has in every row, ``tables`` prints them."""
