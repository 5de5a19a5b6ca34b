"""The demonstration account of `make run`: a sign-in, an API key, credits, and some weeks of work to look at.

Owns no table. Invariants: seeding twice changes nothing; what the weeks show was made by the product's own
verbs (analyses that ran, charges, a chain that verifies), and says of itself that it is demonstration data.
"""

from app.demo.account import EMAIL, seed

__all__ = ["EMAIL", "seed"]
