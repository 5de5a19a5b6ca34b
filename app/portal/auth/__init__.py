"""Sign-in and sign-up pages."""
