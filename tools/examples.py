"""Write the example answers of the OpenAPI document: `make examples`.

Asks a service of its own, started for the purpose, the very questions that the document shows.
"""

from __future__ import annotations

import json
import os

from app.platform.postgres import rls
from tests.throwaway import Throwaway, new_database


def main() -> None:
    services = Throwaway()
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "examples")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        _write()
    finally:
        services.stop()


@rls.as_system()
def _write() -> None:
    from app.analysis.api import examples
    from app.factory import create_app
    from tests.cast import Cast

    client, auth = create_app().test_client(), Cast().player().auth
    asked = (
        ("/api/v1/analyze", examples.REQUEST, examples.ANSWER_FILE),
        ("/api/v1/sandbox/analyze", examples.SANDBOX_REQUEST, examples.SANDBOX_ANSWER_FILE),
    )
    for path, body, file in asked:
        response = client.post(path, json=body, headers=auth)
        assert response.status_code == 200, response.text
        answer = examples.steadied(response.get_json())
        file.write_text(json.dumps(answer, ensure_ascii=False, indent=1) + "\n", "utf-8")
        print(f"written: {file.name}, {len(answer['analysis'])} characters of analysis")


if __name__ == "__main__":
    main()
