# One process, production packages only, nothing built: Node 24 runs the TypeScript as it is.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY .node/package.json .node/package.json
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production \
    HEALTH_PORT=8080
# Where the store is unless STORE_URL says otherwise. The user of the base image stands here by its number, so that a
# cluster can see that it is not root.
RUN mkdir --mode=700 .data && chown 1000:1000 .data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY src src
USER 1000:1000
VOLUME /app/.data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.HEALTH_PORT.split(':').at(-1) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A small young space keeps the idle process a fifth smaller. Most other flags of the engine make it compile all of Node anew.
CMD ["node", "--max-semi-space-size=4", "src/main.ts"]
