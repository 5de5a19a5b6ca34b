"""Checks and generators that work on this repository; never imported by the product."""
