import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { findMissing, type HealthServer, startHealth } from '../../src/process/health.ts'
import { Metrics } from '../../src/process/metrics.ts'

const HOST = '127.0.0.1'
let missing: () => Promise<readonly string[]>
let metrics: Metrics
let server: HealthServer

const looking = () => ({
  registry: metrics.registry,
  missing: () => missing(),
  examine: async () => [{ check: 'store' }],
  state: () => 'ready',
})
const start = (port = 0): Promise<HealthServer> => startHealth({ host: HOST, port }, looking())

beforeEach(async () => {
  missing = async () => []
  metrics = new Metrics()
  server = await start()
})
afterEach(() => server.close())

async function get(path: string, method = 'GET') {
  const response = await fetch(`http://${HOST}:${server.port}${path}`, { method })
  return { status: response.status, body: await response.text(), type: response.headers.get('content-type') ?? '' }
}

describe('the health pages', () => {
  it('say that the process is alive, whatever is missing', async () => {
    missing = () => expect.unreachable('Being alive hangs on nothing')
    expect(await get('/healthz?probe=1')).toMatchObject({ status: 200, body: 'alive\n' })
  })

  it('say that it is ready, or 503 and all that is missing', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ready\n' })
    missing = async () => ['not linked to Slack', 'the store does not answer']
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: 'not linked to Slack\nthe store does not answer\n',
    })
  })

  it('say no more than that it failed when looking fails', async () => {
    missing = () => Promise.reject(new Error('hush'))
    expect(await get('/readyz')).toMatchObject({ status: 500, body: 'failed\n' })
    expect(await get('/healthz')).toMatchObject({ status: 200 })
  })

  const PAGES = 'There are /healthz, /readyz, /doctor and /metrics.\n'
  test.each([
    ['/doctor', 'GET', 200, '[{"check":"store"}]'],
    ['/', 'GET', 404, PAGES],
    ['/healthz/', 'GET', 404, PAGES],
    ['/metrics', 'POST', 405, 'GET only\n'],
    ['/readyz', 'DELETE', 405, 'GET only\n'],
    ['/healthz', 'HEAD', 200, ''],
  ])('serve what the doctor says, and nothing else: %s %s is %i', async (path, method, status, body) => {
    const type = path === '/doctor' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
    expect(await get(path, method)).toEqual({ status, body, type })
  })

  test.each([
    [0, undefined, ['not linked to Slack']],
    [1, undefined, []],
    [0, 'invalid_auth', ['not linked to Slack', 'Slack refuses the bot token: invalid_auth']],
  ])('name what is missing: with %i links and the token refused for %s', async (openLinks, tokenRefused, all) => {
    const slack = { openLinks, tokenRefused }
    expect(await findMissing(slack, { check: async () => undefined })).toEqual(all)
    const check = () => Promise.reject(new Error('hush'))
    expect(await findMissing(slack, { check })).toEqual([...all, 'the store does not answer'])
  })

  it('close at once, also while a page is being made', async () => {
    const asked = Promise.withResolvers<void>()
    missing = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    const page = get('/readyz').catch((error: unknown) => error)
    await asked.promise
    await server.close()
    expect(await page).toMatchObject({ message: 'fetch failed' })
  })
})

describe('the metrics', () => {
  it('are in the form of Prometheus', async () => {
    metrics.operations.inc({ operation: 'dns add', outcome: 'done' })
    metrics.ackSeconds.observe({ kind: 'command' }, 0.25)
    const { body, type } = await get('/metrics')
    expect(type).toContain('text/plain')
    for (const line of [
      'cdn_ops_operations_total{operation="dns add",outcome="done"} 1',
      'cdn_ops_slack_ack_seconds_bucket{le="0.1",kind="command"} 0',
      'cdn_ops_slack_ack_seconds_bucket{le="0.5",kind="command"} 1',
      'cdn_ops_slack_ack_seconds_sum{kind="command"} 0.25',
    ]) {
      expect(body.split('\n')).toContain(line)
    }
  })
})
