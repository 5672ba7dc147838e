"""Clients of keyless services: news indexes, web archives, encyclopaedias. Each knows one wire format."""
