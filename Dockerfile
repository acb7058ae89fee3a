# accord with its web page: docker build -t accord . && docker run --rm -v "$PWD:/data" accord agree data.csv
FROM python:3.13-slim-bookworm AS build
# Debian's compiler, of whatever patch level: pinning it would break with the next security update
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels '.[excel,parquet]'

FROM python:3.13-slim-bookworm
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index /wheels/*.whl \
    && rm -rf /wheels \
    && useradd --create-home --uid 1000 annotator
USER 1000
WORKDIR /data
ENTRYPOINT ["accord"]
CMD ["--help"]
