"""Building question sets from real markets: clients, funnel, live rounds, and the import of other data."""
