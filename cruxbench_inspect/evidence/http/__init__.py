"""The small HTTP layer under every keyless client: pacing, retries, bounded bodies, typed failures."""
