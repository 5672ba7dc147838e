"""Clients of Polymarket: its listing, its prices, its trades and its oracle, and what they mean."""
