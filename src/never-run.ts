/**
 * What packages load and this program never runs: a fifth of all the files that a start would read. By the package that asks,
 * the names it asks by. Instead of each there is an empty module; so whatever used one after all would fail at once.
 */
export const NEVER_RUN: Readonly<Record<string, readonly string[]>> = {
  // Its own server, and what installs an app in many workspaces. Types that were compiled to files without code.
  '@slack/bolt': [
    './receivers/HTTPReceiver',
    '@slack/oauth',
    'path-to-regexp',
    './actions',
    './command',
    './events',
    './options',
    './receiver',
    './shortcuts',
    './view',
  ],
  // Such types.
  '@slack/web-api': ['@slack/types', './types/request/index', './types/response/index'],
  // Limits that are kept in Redis.
  bottleneck: ['./Batcher', './Group', './IORedisConnection', './RedisConnection', './RedisDatastore'],
  // A thread that would write the log.
  pino: ['thread-stream'],
  // Servers played for tests, caches, proxies, what only a browser has, and HTTP/2, which nobody is called with.
  undici: [
    './lib/cache/memory-cache-store',
    './lib/cache/sqlite-cache-store',
    './client-h2.js',
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

/**
 * What of a package is loaded where this program names it: files beside its entry, which give all that is imported from there. The
 * entry would load the rest too: other databases, plugins, a builder for each kind of statement.
 */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  kysely: [
    './kysely.js',
    './dialect/postgres/postgres-dialect.js',
    './dialect/sqlite/sqlite-adapter.js',
    './dialect/sqlite/sqlite-driver.js',
    './dialect/sqlite/sqlite-introspector.js',
    './dialect/sqlite/sqlite-query-compiler.js',
    './plugin/camel-case/camel-case-plugin.js',
    './query-compiler/compiled-query.js',
    './raw-builder/sql.js',
  ],
  'kysely/migration': ['./migrator.js'],
}

/**
 * What is loaded when it is first used, since most processes never do. By the package that asks, the names it asks by, and of each
 * the classes that are made objects of; nothing else of it may be wanted.
 */
export const RUN_LATER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  kysely: {
    // Tables change with the first start of a new version.
    './schema/schema-module.js': ['SchemaModule'],
    '../query-builder/json-path-builder.js': ['JSONPathBuilder'],
    './query-builder/merge-query-builder.js': ['MergeQueryBuilder'],
    '../query-builder/over-builder.js': ['OverBuilder'],
  },
}
