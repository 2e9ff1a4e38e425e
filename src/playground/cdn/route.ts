import { endpoints, type EndpointName } from '../../cdn/endpoints.ts'
import { matchPath } from '../../cdn/path-template.ts'

/** The endpoint of the table a request is for, and the values in its path. */
export interface Route {
  readonly endpoint: EndpointName
  readonly params: Readonly<Record<string, string>>
}

/** Finds the endpoint under one of the two base addresses: `none` for an unknown path, `method` for a known one. */
export function findRoute(base: 'management' | 'logging', method: string, path: string): Route | 'none' | 'method' {
  let known = false
  for (const endpoint of ENDPOINT_NAMES) {
    const entry = endpoints[endpoint]
    const params = entry.base === base ? matchPath(entry.path, path) : undefined
    if (params === undefined) continue
    if (entry.method === method) return { endpoint, params }
    known = true
  }
  return known ? 'method' : 'none'
}

/** Every endpoint the emulator serves, which are all the table has. */
// A boundary: Object.keys cannot say that the keys of a constant are its keys.
export const ENDPOINT_NAMES = Object.keys(endpoints) as readonly EndpointName[]
