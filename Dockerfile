# Builds Offprint, then keeps only what an export needs. Export a site mounted at /site:
#   docker build -t offprint . && docker run --rm -v "$PWD/docs:/site:ro" -v "$PWD/out:/out" offprint export /site --output /out/bundle
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /out && chown node:node /out
USER node
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["--help"]
