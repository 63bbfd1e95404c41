# Builds Offprint, then keeps only what it needs to run. Export a site mounted at /site, and serve what came out:
#   docker build -t offprint . && docker run --rm -v "$PWD/docs:/site:ro" -v "$PWD/out:/out" offprint export /site --output /out/bundle
#   docker run --rm -p 8080:8080 -v "$PWD/out:/out:ro" offprint serve /out/bundle --host 0.0.0.0
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.js --no-types && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production
# Workers fetch sites from repositories, and export them in namespaces where the host allows it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Volumes take over who owns these.
RUN mkdir /out /data && chown node:node /out /data
USER node
# V8 shrinks the space of new objects to 1 MB while few requests come, and then cleans it many times in a burst of them.
ENTRYPOINT ["node", "--min-semi-space-size=16", "/app/dist/cli/main.js"]
CMD ["--help"]
