"""Fold legal text, find its sentences, and read its numbers. Pure.

Owns no table and knows no law. Invariant: whatever is folded keeps its offsets, or says how to map them back.
"""
