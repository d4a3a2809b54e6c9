"""Which rules games have exercised: ``coverage`` reads it from the events of one or several."""
