# The gateway: `webseam serve` with everything that a fleet needs. docs/deployment.md says how to run it.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE constraints.txt ./
COPY src src
# uv at its pin, then our wheel by the pinned build tools, then the wheel with what it needs at the tested versions.
RUN python -m venv /tools && /tools/bin/pip install --no-cache-dir "$(grep -E '^uv==' constraints.txt)"
RUN /tools/bin/uv build --wheel --build-constraints constraints.txt --out-dir /wheels .
RUN python -m venv --without-pip /opt/webseam \
    && /tools/bin/uv pip install --no-cache --compile-bytecode --python /opt/webseam/bin/python \
        --constraints constraints.txt "webseam[serve,mcp,fleet,telemetry] @ file://$(echo /wheels/*.whl)"

FROM python:${PYTHON}-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /var/lib/webseam --shell /usr/sbin/nologin webseam \
    && install --directory --owner webseam --group webseam --mode 0700 /var/lib/webseam
COPY --from=build /opt/webseam /opt/webseam
# One folder is written to, and holds tokens and counts; the rest of the image may be read-only.
ENV PATH=/opt/webseam/bin:$PATH \
    HOME=/var/lib/webseam \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WEBSEAM_DATA_DIR=/var/lib/webseam \
    WEBSEAM_STATE_DIR=/var/lib/webseam \
    WEBSEAM_SERVE_LISTEN=0.0.0.0:8090
USER 10001:10001
WORKDIR /var/lib/webseam
VOLUME /var/lib/webseam
EXPOSE 8090
STOPSIGNAL SIGTERM
# Not through urllib, which would ask the proxy of the environment.
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8090, timeout=2); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["webseam"]
CMD ["serve"]
