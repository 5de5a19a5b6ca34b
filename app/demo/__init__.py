"""Demonstration account of `make run`: a sign-in, an API key, credits, and ten weeks of sample activity.

Owns no table. Invariants: seeding twice changes nothing; the activity was created through the product's own
functions (analyses that ran, charges, a chain that verifies), and is marked as demonstration data.
"""

from app.demo.account import EMAIL, seed

__all__ = ["EMAIL", "seed"]
