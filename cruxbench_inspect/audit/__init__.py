"""The leak audit: looks through everything that models were shown for what is from after their cutoff."""
