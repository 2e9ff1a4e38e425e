import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type Controls, createControls } from '../../src/playground/controls.ts'
import { FastClock } from '../../src/playground/fast-clock.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OPS } from '../../src/playground/slack/seed.ts'
import { linkAddress, openLink } from './slack/link-client.ts'
import { dataTable } from './slack/sample-blocks.ts'

let cdn: CdnEmulator
let slack: SlackEmulator
let controls: Controls

beforeEach(async () => {
  const clock = new FastClock('real')
  cdn = await startCdnEmulator({ clock, seed: 'tests' })
  slack = await startSlackEmulator({ clock })
  controls = createControls({ cdn, slack, clock })
})

afterEach(async () => {
  await Promise.all([cdn.close(), slack.close()])
})

const logs = '/v2/pullzones/301/logs?limit=1000'

async function call(path: string, init: RequestInit = {}, key = cdn.accessKey): Promise<Response> {
  const base = path === logs ? cdn.loggingUrl : cdn.managementUrl
  return fetch(base + path, { ...init, headers: { AccessKey: key, 'content-type': 'application/json' } })
}

async function postTable(): Promise<unknown> {
  const answer = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: OPS, text: 't', blocks: [dataTable(2, 1)] }),
  })
  return answer.json()
}

describe('Over the wire', () => {
  it.each([
    ['status-429', '/apikey', 429],
    ['status-500', '/apikey', 500],
    ['logging-off', logs, 404],
  ])('%s shows in the answers, and is gone when it is turned off', async (id, path, status) => {
    expect((await call(path)).status).toBe(200)
    controls.set(id, true)
    const answer = await call(path)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 429 ? '5' : null])
    controls.set(id, false)
    expect((await call(path)).status).toBe(200)
  })

  it('a write is carried out although its connection breaks', async () => {
    controls.set('reset-after-accept', true)
    const body = JSON.stringify({ Name: 'Trailers' })
    await expect(call('/videolibrary', { method: 'POST', body })).rejects.toThrow('fetch failed')
    expect(cdn.world.libraries).toMatchObject([{ name: 'Trailers' }])
    expect((await call('/apikey')).status).toBe(200)
  })

  it('a key that appears is listed last and lets its holder in', async () => {
    controls.set('new-api-key', true)
    const page = (await (await call('/apikey?page=3&perPage=1000')).json()) as { Items: { Key: string }[] }
    expect(page).toMatchObject({ TotalItems: 2_501, HasMoreItems: false })
    const key = page.Items.at(-1)?.Key ?? ''
    expect((await call('/apikey', {}, key)).status).not.toBe(401)
    expect((await call('/apikey', {}, `${key}x`)).status).toBe(401)
  })

  it('what the platform receives is told of as it comes and goes', async () => {
    const statuses: unknown[] = []
    const stop = cdn.subscribe(() => statuses.push(cdn.requests.at(-1)?.status))
    await call('/apikey')
    stop()
    expect([statuses[0], statuses.at(-1)]).toEqual([undefined, 200])
  })

  it('Slack is down, or takes no new message, until it is well again', async () => {
    const status = async (method: string) =>
      (await fetch(slack.apiUrl + method, { method: 'POST', headers: { authorization: `Bearer ${slack.botToken}` } }))
        .status
    controls.set('refuse-posts', true)
    expect([await status('chat.postMessage'), await status('chat.update')]).toEqual([429, 200])
    controls.set('slack-down', true)
    expect([await status('chat.postMessage'), await status('auth.test')]).toEqual([503, 503])
    controls.set('slack-down', false)
    controls.set('refuse-posts', false)
    expect([await status('chat.postMessage'), await status('auth.test')]).toEqual([200, 200])
  })

  it('Slack refuses tables, asks a link to go, drops all and takes none', async () => {
    expect(await postTable()).toMatchObject({ ok: true })
    controls.set('refuse-charts', true)
    expect(await postTable()).toMatchObject({ ok: false, error: 'invalid_blocks' })
    const first = await openLink(await linkAddress(slack))
    const second = await openLink(await linkAddress(slack))
    controls.set('refresh-link', true)
    await expect.poll(() => first.frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' })
    expect(slack.linkCount).toBe(1)
    controls.set('refuse-connections', true)
    await expect(linkAddress(slack)).rejects.toThrow('no address')
    controls.set('drop-links', true)
    expect(await second.closed).toBe(1006)
    await expect.poll(() => slack.linkCount).toBe(0)
  })
})
