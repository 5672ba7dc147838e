"""Fetching pages from addresses that nobody vouches for."""
