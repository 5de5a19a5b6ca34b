"""Set the checkout up and run everything for `make run` and `make test`; the product never imports this.

``bootstrap``   make `.venv` and the front-end assets; standard library only, runs before any package exists.
``services``    run PostgreSQL with pgvector and Redis from PyPI wheels, reached through Unix sockets only.
``reaper``      stand between a parent and each child: when the parent dies, so does the child.
``supervisor``  run services, migrations, demo account, web and workers: `python -m app.dev run`.

Invariant: nothing that was started here outlives the process that started it, however that one ends
(decision 060). Only this package sets environment variables, and only for its children.
"""
