import { endpoints, type EndpointName } from '../../cdn/endpoints.ts'
import { matchPath } from '../../cdn/path-template.ts'

/** The two interfaces, each under its own base address. */
export type Base = 'management' | 'logging'

/** The endpoint of the table a request is for, and the values in its path. */
export interface Route {
  readonly endpoint: EndpointName
  readonly params: Readonly<Record<string, string>>
}

/** Finds the endpoint under one of the two base addresses: `none` for an unknown path, `method` for a known one. */
export function findRoute(base: Base, method: string, path: string): Route | 'none' | 'method' {
  let known = false
  for (const endpoint of ENDPOINT_NAMES) {
    const entry = endpoints[endpoint]
    if (entry.base !== base) continue
    const params = matchPath(entry.path, path)
    if (params === undefined) continue
    if (entry.method === method) return { endpoint, params }
    known = true
  }
  return known ? 'method' : 'none'
}

// A boundary: Object.keys cannot say that the keys of a constant are its keys.
const ENDPOINT_NAMES = Object.keys(endpoints) as readonly EndpointName[]
