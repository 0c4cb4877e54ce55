# The tool in a container.
#
#   docker build -t heavyweight .                  with Swift's compiler, for scenarios with policies
#   docker build -t heavyweight --target slim .    without, for everything else; a tenth of the size
#   docker run --rm -v "$PWD:/work" heavyweight run Migrations
#
# `docs/in-container` does both. `.ci/try-release.sh` runs the steps of the last two stages in a fresh Debian.

FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils libsqlite3-dev patchelf zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# What `--version` says was built; the sources come without their history.
ARG COMMIT=
RUN HEAVYWEIGHT_COMMIT="$COMMIT" swift build -c release --product heavyweight -debug-info-format none \
 && .ci/release.sh "$(swift build -c release --show-bin-path)" /release \
 && mv /release/heavyweight-*-linux-"$(uname -m)" /opt/heavyweight

FROM debian:bookworm-slim AS slim
COPY --from=build /opt/heavyweight /opt/heavyweight
RUN ln -s /opt/heavyweight/bin/heavyweight /usr/local/bin/heavyweight \
 && useradd --uid 1000 --create-home heavyweight \
 && install -d -m 1777 /work /var/cache/heavyweight \
 && heavyweight --version
ENV XDG_CACHE_HOME=/var/cache/heavyweight
USER heavyweight
WORKDIR /work
ENTRYPOINT ["heavyweight"]
CMD ["--help"]

FROM swift:6.3.1-bookworm AS policies
COPY --from=build /opt/heavyweight /opt/heavyweight
RUN ln -s /opt/heavyweight/bin/heavyweight /usr/local/bin/heavyweight \
 && useradd --uid 1000 --create-home heavyweight \
 && install -d -m 1777 /work /var/cache/heavyweight \
 && heavyweight --version \
 && swiftc --version
ENV XDG_CACHE_HOME=/var/cache/heavyweight
USER heavyweight
WORKDIR /work
ENTRYPOINT ["heavyweight"]
CMD ["--help"]
