"""HTTP edge: errors, headers, OpenAPI, health checks and the web server."""
