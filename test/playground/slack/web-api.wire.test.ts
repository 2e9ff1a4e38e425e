import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSlackEmulator, type SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OPS, VERA } from '../../../src/playground/slack/state/seed.ts'
import { linkAddress, openLink } from './link-client.ts'
import { section } from './sample-blocks.ts'

let slack: SlackEmulator

beforeEach(async () => {
  slack = await startSlackEmulator()
})

afterEach(async () => {
  await slack.close()
})

async function post(
  method: string,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const answer = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${slack.botToken}`, ...headers },
  })
  return answer.json()
}

const json = { 'content-type': 'application/json; charset=utf-8' }

describe('A call to the Web API', () => {
  it('may be a form with JSON in it, or JSON', async () => {
    const blocks = [section('hello')]
    const form = new URLSearchParams({ channel: OPS, text: '[1]', blocks: JSON.stringify(blocks) })
    expect(await post('chat.postMessage', form)).toMatchObject({ ok: true, message: { text: '[1]', blocks } })
    const body = JSON.stringify({ channel: OPS, text: 'json', blocks })
    expect(await post('chat.postMessage', body, json)).toMatchObject({ ok: true, message: { text: 'json', blocks } })
    expect(slack.calls).toMatchObject([
      { method: 'chat.postMessage', args: { text: '[1]', blocks }, answer: { ok: true }, status: 200 },
      { method: 'chat.postMessage', args: { text: 'json', blocks } },
    ])
  })
})

describe('A response_url on the wire', () => {
  it('answers ok, or 404 and the reason', async () => {
    const link = await openLink(await linkAddress(slack))
    const done = slack.person(VERA).command(OPS, '/cdn')
    await expect.poll(() => link.frames.length).toBe(2)
    link.acknowledge()
    await done
    const { response_url: url } = link.frames[1]!['payload'] as { response_url: string }
    const send = async (body: unknown) => fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })
    const good = await send({ text: 'hello' })
    expect([good.status, await good.text()]).toEqual([200, 'ok'])
    const bad = await send({ blocks: [{ type: 'nonsense' }] })
    expect([bad.status, await bad.json()]).toMatchObject([404, { ok: false, error: 'invalid_blocks' }])
    expect(slack.calls.filter((call) => call.method === 'response_url')).toMatchObject([
      { args: { text: 'hello' }, status: 200 },
      { status: 404 },
    ])
    expect(slack.person(VERA).messages(OPS)).toMatchObject([{ text: 'hello', ephemeral: true }])
  })
})

describe('A file', () => {
  it('may be uploaded as it is, once, where it was announced', async () => {
    const announced = await post('files.getUploadURLExternal', new URLSearchParams({ filename: 'a.txt', length: '2' }))
    const { upload_url: url } = announced as { upload_url: string }
    const upload = async (address: string) => fetch(address, { method: 'POST', body: 'hi' })
    expect(await (await upload(url)).text()).toBe('OK - 2')
    expect((await upload(url)).status).toBe(400)
    expect((await upload(`${url}X`)).status).toBe(400)
  })
})
