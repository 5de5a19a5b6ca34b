"""Sessions: cookie, sign-in and rights of the member, origin of a request, throttling, forms sent once."""
