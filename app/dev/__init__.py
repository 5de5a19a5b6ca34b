"""The machine that `make run` and `make test` bring with them; never imported by the product.

``bootstrap``   makes `.venv` and the front-end assets; standard library only, runs before any package exists.
``services``    PostgreSQL with pgvector and Redis out of PyPI wheels, reached through Unix sockets only.
``leash``       the small process between a parent and each child: when the parent dies, so does the child.
``supervisor``  services, migrations, demo account, web and worker; `python -m app.dev run`.

Invariant: nothing that was started here outlives the process that started it, however that one ends.
Only this package sets environment variables, and only for its children.
"""
