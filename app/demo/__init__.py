"""Demonstration account of `make run`: a sign-in, an API key, credits, and ten weeks of sample activity.

Owns no table. Invariants: seeding twice changes nothing; the activity was created through the product's own
functions (analyses that ran, charges, a chain that verifies), and is marked as demonstration data; the law
that `load_law` loads is of a country that does not exist.
"""

from app.demo.account import EMAIL, seed
from app.demo.law import load as load_law

__all__ = ["EMAIL", "load_law", "seed"]
