"""Paid search providers through their official SDKs, each an optional dependency."""
