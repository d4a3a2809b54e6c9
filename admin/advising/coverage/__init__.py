"""Which rules some games have exercised: ``exercised`` for one game, ``coverage`` for several."""
