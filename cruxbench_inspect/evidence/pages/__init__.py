"""From the bytes of a page to its text and dates, in worker processes with limits."""
