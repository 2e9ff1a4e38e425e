# One process, production packages only, nothing built: Node 24 runs the TypeScript as it is.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY .node/package.json .node/package.json
RUN npm ci --omit=dev --no-audit --no-fund

# What Node makes of the sources is kept, so that the first start in a container is as fast as the second, but for what only
# PostgreSQL or a new store needs. It is made by the user who will read it, at the place where it will be read. Without
# settings the bot loads what a start loads, and ends with 78. For another user, or on a processor with other features,
# Node takes none of it, and starts as it would without.
FROM node:24-slim AS compiled
WORKDIR /app
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=.compiled
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY src src
RUN mkdir .compiled && chown 1000:1000 .compiled
USER 1000:1000
RUN node --max-semi-space-size=8 src/main.ts; test $? -eq 78
# Node writes it for its user's eyes alone. Copied from here it belongs to root, so that the bot reads it and cannot change it.
RUN chmod -R a+rX .compiled

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=.compiled \
    HEALTH_PORT=8080
# Where the store is unless STORE_URL says otherwise. The user of the base image stands here by its number, so that a
# cluster can see that it is not root.
RUN mkdir --mode=700 .data && chown 1000:1000 .data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY src src
COPY --from=compiled /app/.compiled .compiled
USER 1000:1000
VOLUME /app/.data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.HEALTH_PORT.split(':').at(-1) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Bytes from the network are given back sooner in a small young space: a flood then takes a third of the memory. Most
# other flags of the engine make it compile all of Node anew, since what was compiled before is only good with the same ones.
CMD ["node", "--max-semi-space-size=8", "src/main.ts"]
