"""Statistics of reports: tests, intervals and simulations over scores and cruxes. Pure maths."""
