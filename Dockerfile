# The server as an image for amd64 and arm64. docs/deploy.md shows how to build and run it.
ARG NODE_VERSION=24.21.0

# Builds the package. It contains no machine code, so this stage runs on the machine of the build for every architecture.
FROM --platform=$BUILDPLATFORM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm run package -- --server
# The image has a Node, so the optional one is left out, and machine code for other systems is removed.
ARG TARGETARCH
RUN npm install --prefix /opt/tessera --omit=optional --no-package-lock --no-audit --no-fund --loglevel=error ./dist/tessera-board-server-*.tgz \
  && cpu=$(echo "${TARGETARCH:-$(dpkg --print-architecture)}" | sed s/amd64/x64/) \
  && find /opt/tessera -path '*/prebuilds/*.node' ! -name "linux-$cpu.node" -delete \
  && find /opt/tessera -name '*.map' -delete \
  && chmod -R a+rX,go-w /opt/tessera

FROM node:${NODE_VERSION}-bookworm-slim AS node

# Debian without npm, yarn and headers is half as large as the image of Node.
FROM debian:bookworm-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tessera" \
  org.opencontainers.image.description="A self-hosted board content service: links become text, boards answer questions with quotes." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=build /opt/tessera /opt/tessera
RUN groupadd --gid 1000 tessera \
  && useradd --uid 1000 --gid tessera --home-dir /data --no-create-home --shell /usr/sbin/nologin tessera \
  && install --directory --owner=tessera --group=tessera --mode=0700 /data \
  && ln -s /opt/tessera/node_modules/.bin/tessera-server /usr/local/bin/tessera-server
ENV NODE_ENV=production \
  NODE_COMPILE_CACHE=/opt/tessera/.cache \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/data
# One start fills the cache of compiled code, which later starts read from a read-only file system.
RUN DATA_DIR=/tmp/warm-up HOST=127.0.0.1 tessera-server start > /tmp/warm-up.log & server=$!; \
  until grep -q "is ready" /tmp/warm-up.log; do kill -0 $server && sleep 0.1 || exit 1; done; \
  kill -TERM $server && wait $server && rm -rf /tmp/warm-up* && chmod -R a+rX /opt/tessera/.cache
USER tessera
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({host:'127.0.0.1',port:process.env.PORT,path:'/health/ready'},r=>process.exit(r.statusCode===200?0:1)).on('error',()=>process.exit(1))"]
ENTRYPOINT ["tessera-server"]
CMD ["start"]
