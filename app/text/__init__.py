"""Reading legal text: letters folded at unchanged offsets, sentences, numbers in words. Pure.

Owns no table and knows no law. Invariant: whatever is folded keeps its offsets, or says how to map them back.
"""
