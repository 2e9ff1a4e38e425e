/**
 * What packages load and this program never runs: a quarter of all the files that a start would read. By the package that asks,
 * the names it asks by. Instead of each there is an empty module; so whatever used one after all would fail at once.
 */
export const NEVER_RUN: Readonly<Record<string, readonly string[]>> = {
  // Its own server, and what installs an app in many workspaces.
  '@slack/bolt': ['./receivers/HTTPReceiver', '@slack/oauth', 'path-to-regexp'],
  // Types that were compiled to files without code.
  '@slack/web-api': ['@slack/types'],
  // Limits that are kept in Redis.
  bottleneck: ['./Batcher', './Group', './IORedisConnection', './RedisConnection', './RedisDatastore'],
  // Other databases, and plugins.
  kysely: [
    './dialect/mssql/mssql-adapter.js',
    './dialect/mssql/mssql-dialect.js',
    './dialect/mssql/mssql-driver.js',
    './dialect/mssql/mssql-introspector.js',
    './dialect/mssql/mssql-query-compiler.js',
    './dialect/mysql/mysql-adapter.js',
    './dialect/mysql/mysql-dialect.js',
    './dialect/mysql/mysql-driver.js',
    './dialect/mysql/mysql-introspector.js',
    './dialect/mysql/mysql-query-compiler.js',
    './dialect/pglite/pglite-adapter.js',
    './dialect/pglite/pglite-dialect.js',
    './dialect/pglite/pglite-driver.js',
    './plugin/deduplicate-joins/deduplicate-joins-plugin.js',
    './plugin/handle-empty-in-lists/handle-empty-in-lists-plugin.js',
    './plugin/handle-empty-in-lists/handle-empty-in-lists.js',
    './plugin/parse-json-results/parse-json-results-plugin.js',
    './plugin/safe-null-comparison/safe-null-comparison-plugin.js',
  ],
  // A thread that would write the log.
  pino: ['thread-stream'],
  // Servers played for tests, caches, proxies, and what only a browser has.
  undici: [
    './lib/cache/memory-cache-store',
    './lib/cache/sqlite-cache-store',
    './lib/dispatcher/balanced-pool',
    './lib/dispatcher/env-http-proxy-agent',
    './lib/dispatcher/h2c-client',
    './lib/dispatcher/proxy-agent',
    './lib/dispatcher/retry-agent',
    './lib/dispatcher/round-robin-pool',
    './lib/dispatcher/socks5-proxy-agent',
    './lib/handler/retry-handler',
    './lib/interceptor/cache',
    './lib/interceptor/deduplicate',
    './lib/interceptor/dns',
    './lib/interceptor/retry',
    './lib/mock/mock-agent',
    './lib/mock/mock-call-history',
    './lib/mock/mock-client',
    './lib/mock/mock-errors',
    './lib/mock/mock-pool',
    './lib/mock/snapshot-agent',
    './lib/web/cookies',
    './lib/web/eventsource/eventsource',
    './lib/web/websocket/stream/websocketstream',
  ],
  // Its messages in fifty languages; English is loaded apart from them.
  zod: ['../locales/index.js'],
}
