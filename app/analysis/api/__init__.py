"""The HTTP side of analysis: routes, request bodies, wire shapes, and the operations that tools share."""
