import type { Fetch, Post } from '../../src/slack/out/web-api.ts'

/** Posting by a fetch, for where one is scripted. */
export function postBy(fetch: Fetch): Post {
  return async (url, { type, body, signal }) => {
    const headers = { 'content-type': type }
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
    return { ok: response.ok, text: await response.text() }
  }
}
