# syntax=docker/dockerfile:1
# One image, three commands: web (the default), worker, migrate. See compose.yaml.

FROM node:22-bookworm-slim AS node
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev

FROM python:3.11-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
RUN python -m venv /opt/venv
COPY requirements.lock ./
RUN /opt/venv/bin/pip install --require-hashes --no-deps -r requirements.lock
WORKDIR /build
COPY --from=node /build/node_modules node_modules
COPY package-lock.json ./
COPY static static
COPY app app
RUN /opt/venv/bin/python -B -m app.rules.weights && /opt/venv/bin/python -B -m app.rules.rulebook
# Each document is read by a fresh interpreter, which would compile its reader every time.
RUN /opt/venv/bin/python -m compileall -q --invalidation-mode unchecked-hash app/documents app/platform app/text
# The list of files to serve lives in app/dev; nothing else of it goes into the image.
RUN python -m app.dev.assets && rm -rf app/dev node_modules

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Candado" \
      org.opencontainers.image.description="Multi-tenant legal document analysis" \
      org.opencontainers.image.version="1.8.0" \
      org.opencontainers.image.licenses="Apache-2.0"
# What WeasyPrint opens for PDF documents, the typefaces that they are set in, and what reads scans.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
       fonts-dejavu-core fonts-liberation libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 \
       tesseract-ocr tesseract-ocr-spa tesseract-ocr-eng tesseract-ocr-por tesseract-ocr-fra tesseract-ocr-ita \
       tesseract-ocr-deu \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin candado
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    WEB_WORKERS=2 \
    WEB_THREADS=64
WORKDIR /srv/candado
COPY --from=build /opt/venv /opt/venv
COPY --from=build /build/app app
COPY --from=build /build/static static
COPY templates templates
COPY migrations migrations
COPY translations translations
COPY LICENSE web.py wsgi.py worker.py ./
USER 10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/readyz', timeout=4)"]
# Through a shell for the variables, which then makes way: signals reach the server itself.
CMD ["sh", "-c", "export PROMETHEUS_MULTIPROC_DIR=$(mktemp -d); exec python web.py"]
