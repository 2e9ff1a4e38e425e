import type * as http from 'node:http'
import { createRequire } from 'node:module'

/**
 * Node's HTTP server. An `import` of its module reads each of its exports, and some of those are a second HTTP client, with
 * as much memory as a sixth of the whole bot, that nobody here uses.
 */
export const { createServer } = createRequire(import.meta.url)('node:http') as typeof http
