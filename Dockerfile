# Two stages: the first installs from the hash-locked requirements, the second runs without pip,
# without a compiler and without root. Nothing is built when the container starts.
FROM python:3.13-slim AS build
WORKDIR /srv/rebelote
RUN python -m venv /venv
COPY requirements.lock ./
RUN /venv/bin/pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements.lock
COPY pyproject.toml README.md ./
COPY app ./app
COPY migrations ./migrations
COPY static ./static
# Editable, so that the code finds `migrations` and `static` beside itself, as in a checkout.
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation --no-index -e . \
 && /venv/bin/python -m compileall -q app migrations

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home rebelote \
 && install -d -o rebelote -m 0700 /data
COPY --from=build /venv /venv
COPY --from=build /srv/rebelote /srv/rebelote
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    REBELOTE_HOST=0.0.0.0 REBELOTE_PORT=8000 REBELOTE_DATA_DIR=/data \
    REBELOTE_COOKIE_NAME=rebelote REBELOTE_LOG_FORMAT=json
USER rebelote
WORKDIR /srv/rebelote
EXPOSE 8000
# Without REBELOTE_DATABASE_URL the embedded Postgres keeps its data here.
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/api/health', timeout=2)"]
# Exec form: the server is process 1 and gets SIGTERM itself.
CMD ["rebelote", "serve"]
