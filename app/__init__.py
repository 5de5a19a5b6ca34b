"""Candado: legal document analysis whose certainty locks are verified by code.

Importing a package here loads that package alone: `import app.credits` must not load Flask.
`app.factory` is the one module that knows every package.
"""
