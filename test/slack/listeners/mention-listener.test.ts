import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AppMention } from '../../../src/slack/gateway/payloads.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { parseMention } from '../../../src/slack/listeners/mention-listener.ts'
import { checkContext } from '../../support/operation-context.ts'
import { alertOperations } from '../../support/alert-operations.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { deliver, listeningApp } from '../../support/recording-app.ts'
import { sampleDoc } from '../../support/sample-incident.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { createSlackBench, type SlackBench } from '../../support/slack-bench.ts'

let bench: SlackBench
let asked: unknown[]
beforeEach(async () => {
  asked = []
  const operations = alertOperations(async (name, input) => {
    asked.push([name, input])
    return plainAnswer('So it is.')
  })
  bench = await createSlackBench({ operations: (scripted) => [...scripted, ...operations] })
  bench.rules.zones = [{ kind: 'pull', name: 'shop', zoneId: '301', managed: true }]
})
afterEach(() => bench.close())

const event = (text: string, changes: Partial<AppMention> = {}): AppMention => ({
  user: 'UVERA',
  team: 'T1',
  channel: 'C1',
  text,
  ts: '5.5',
  ...changes,
})
async function mentioned(text: string, changes: Partial<AppMention> = {}): Promise<readonly string[]> {
  await deliver(bench.slack, 'app_mention', event(text, changes))
  return bench.said()
}
/** An incident about zone 302 whose message is 7.7 in C1. */
async function incident(isPosted = true): Promise<void> {
  const at = bench.clock.now()
  const one = { id: 'i1', subject: 'pull/302', channelId: 'C1', openedAt: at, doc: sampleDoc() }
  const posts = [{ incidentId: 'i1', channelId: 'C1', what: 'card', dueAt: at } as const]
  await bench.store.alerts.commit({ subject: 'pull/302', revision: 0, watch: {}, incidents: [one], posts })
  if (!isPosted) return
  const [card] = await bench.store.outbox.claim(1)
  if (card !== undefined) await bench.store.outbox.delivered(card, { messageTs: '7.7', revision: 1, at })
}
const inThread = { thread_ts: '7.7' }
const SHOP = { id: 301n, name: 'shop' }
const THIS = { id: 302n, name: undefined }

describe('a question to the bot', () => {
  it('is answered under the message it was asked in, for all to see', async () => {
    expect(await mentioned('<@UBOT> logs shop 5xx')).toEqual(['So it is.'])
    expect(asked).toEqual([['logs', { pullZone: SHOP, status: '5xx' }]])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'chat.postMessage', args: { channel: 'C1', thread_ts: '5.5' } })
  })

  it('may stand before the mention, or after other words', async () => {
    await mentioned('status shop <@UBOT|cdn-ops>')
    await mentioned('<@UOLGA> look: <@UBOT>\u00a0status shop')
    expect(asked).toEqual([
      ['status', { pullZone: SHOP }],
      ['status', { pullZone: SHOP }],
    ])
  })

  it('outside of threads is about no incident, as little as about one whose message is still to be posted', async () => {
    await incident(false)
    await mentioned('<@UBOT> status')
    expect(asked).toEqual([['status', {}]])
  })

  it('in a thread is answered in that thread', async () => {
    await mentioned('<@UBOT> status', { thread_ts: '3.3' })
    expect(bench.calls.at(-1)?.args).toMatchObject({ thread_ts: '3.3' })
    expect(asked).toEqual([['status', {}]])
  })
})

describe('a question in the thread of an incident', () => {
  beforeEach(() => incident())

  it.each<[string, unknown]>([
    ['<@UBOT> status', ['status', { pullZone: THIS }]],
    ['<@UBOT> logs', ['logs', { pullZone: THIS }]],
    ['<@UBOT> logs 5xx', ['logs', { pullZone: THIS, status: '5xx' }]],
    ['<@UBOT> `/cdn logs 5xx`', ['logs', { pullZone: THIS, status: '5xx' }]],
    ['<@UBOT> ```logs 5xx```', ['logs', { pullZone: THIS, status: '5xx' }]],
    ['<@UBOT> logs --status 5xx', ['logs', { pullZone: THIS, status: '5xx' }]],
    ['<@UBOT> logs shop', ['logs', { pullZone: SHOP }]],
    ['<@UBOT> logs 303 5xx', ['logs', { pullZone: { id: 303n, name: undefined }, status: '5xx' }]],
  ])('is about its zone where none is named: %s', async (text, question) => {
    await mentioned(text, inThread)
    expect(asked).toEqual([question])
  })

  it('is answered where it names its zone while the store does not say whether it is one, and no bug is hidden', async () => {
    const looked: unknown[] = []
    let error: Error = new StoreError('busy')
    bench.store.alerts.incidents = async (which) => {
      looked.push(which)
      throw error
    }
    expect(await mentioned('<@UBOT> status shop', inThread)).toEqual(['So it is.'])
    expect(looked).toEqual([{ channelId: 'C1', limit: 200 }])
    error = new TypeError('a bug')
    await mentioned('<@UBOT> status shop', inThread)
    await deliver(bench.slack, 'message', { ...event('status', inThread), channel_type: 'im' })
    const bugs = bench.log.filter(({ sentence }) => sentence === 'a bug').map(({ fields }) => fields['operation'])
    expect(bugs).toEqual(['a mention', 'a direct message'])
  })

  it.each([
    ['logs 5xx', 'account'],
    ['logs 5xx', 'storage/*'],
    ['logs 5xx', 'storage/303'],
    ['storage stats', 'pull/302'],
    ['storage stats', 'storage/*'],
    ['keys list', 'pull/302'],
  ] as const)('is about no zone where it is not about one of its kind: %s under %s', (text, subject) => {
    expect(parseMention(text, OPERATIONS, checkContext(), subject)).toEqual(parseCommand(text, OPERATIONS))
  })

  it('with a zone that is none says so', async () => {
    expect(await mentioned('<@UBOT> logs shap', inThread)).toEqual([
      expect.stringContaining('No pull zone is named shap. Did you mean shop?'),
    ])
  })
})

describe('what cannot be asked like this', () => {
  it.each([
    ['a write to the platform', 'record add shop 192.0.2.10', 'UADA'],
    ['a write to the bot', 'alerts silence', 'UADA'],
    ['what only one person may see', 'keys list', 'UADA'],
    ['what is not for all', 'help', 'UADA'],
  ])('%s is answered to who asked, with how to type it', async (_, text, user) => {
    const name = text.split(' ').slice(0, 2).join(' ')
    expect(await mentioned(`<@UBOT> ${text}`, { user, ...inThread })).toEqual([
      `${name} cannot be asked for here. Nothing was done. Type it as a command, outside of threads: /cdn ${text}`,
    ])
    expect(asked).toEqual([])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'chat.postEphemeral', args: { user, thread_ts: '7.7' } })
  })

  it('is repeated as it was typed, without what Slack makes of it', async () => {
    const text = 'record add shop &lt;a&gt; &amp; <http://www.shop.example|www.shop.example>'
    expect(await mentioned(`<@UBOT> ${text}`, { user: 'UADA' })).toEqual([
      expect.stringMatching(/: \/cdn record add shop &lt;a&gt; &amp; www\.shop\.example$/),
    ])
  })

  it.each([
    ['nothing', '', /^Ask me status or logs shop 5xx; for everything else type \/cdn\.$/],
    ['a slip', 'lugs', /^Did you mean “logs”\? Nothing was done\. Ask again with it\.$/],
    ['no operation', 'paint it', /^There is no command “paint it”\. Nothing was done\. See \/cdn help\.$/],
    ['half a quote', '"logs', /^The quote .* Nothing was done\. See \/cdn help\.$/],
    ['too much', 'status shop media', /^Nothing more was expected .* Nothing was done\. See \/cdn help status\.$/],
  ])('%s is answered with what there is', async (_, text, said) => {
    expect(await mentioned(`<@UBOT> ${text}`)).toEqual([expect.stringMatching(said)])
    expect(asked).toEqual([])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'chat.postEphemeral', args: { user: 'UVERA', channel: 'C1' } })
  })

  it('with a key where none belongs is answered without it', async () => {
    const key = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg'
    for (const text of [`logs ${key}`, `status shop ${key}`, `keys list ${key}`, `paint ${key}`]) {
      const [said] = (await mentioned(`<@UBOT> ${text}`, { user: 'UADA' })).slice(-1)
      expect(said).toContain('looks like a key or a password')
    }
    expect(JSON.stringify([bench.calls, bench.log])).not.toContain(key)
    expect(asked).toEqual([])
  })

  it('by somebody without a role is refused, on record, to them alone', async () => {
    await mentioned('<@UBOT> status', { user: 'UNOBODY' })
    expect(asked).toEqual([])
    expect(bench.calls.at(-1)?.method).toBe('chat.postEphemeral')
    expect((await bench.record()).at(-1)).toMatch(/^denied: /)
  })

  it.each(['logs nowhere', 'logs', 'status shop media', 'record add nowhere 192.0.2.10'])(
    'by somebody without a role is refused before anything in it is: %s',
    async (text) => {
      const [said, ...others] = await mentioned(`<@UBOT> ${text}`, { user: 'UNOBODY' })
      expect(said).toMatch(/^Only .* can use .*; you have no role\. Nothing was done\.$/)
      expect(others).toEqual([])
    },
  )

  it.each<[string, Partial<AppMention>]>([
    ['the bot itself', { user: 'UBOT' }],
    ['another program', { bot_id: 'B1' }],
    ['nobody', { user: undefined }],
  ])('is what %s says', async (_, changes) => {
    expect(await mentioned('<@UBOT> status', changes)).toEqual([])
    expect(bench.calls).toEqual([])
  })
})

describe('a direct message to the bot', () => {
  const HELP = 'Ask me status or logs shop 5xx; for everything else type /cdn.'
  /** What was said in the conversation itself: nothing else may be used. */
  async function written(text: string, changes: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
    await deliver(bench.slack, 'message', { ...event(text, { channel: 'D1' }), channel_type: 'im', ...changes })
    expect(bench.calls.filter(({ method }) => !/^(?:users\.info|chat\.(?:postMessage|update))$/.test(method))).toEqual(
      [],
    )
    return bench.said()
  }

  it.each(['logs shop 5xx', '/cdn logs shop 5xx', '<@UBOT> logs shop 5xx', ' /cdn  logs shop 5xx'])(
    'is answered in the conversation itself: %s',
    async (text) => {
      expect(await written(text)).toEqual(['So it is.'])
      expect(asked).toEqual([['logs', { pullZone: SHOP, status: '5xx' }]])
      expect(bench.calls.at(-1)?.args).toMatchObject({ channel: 'D1' })
      expect(bench.calls.at(-1)?.args).not.toHaveProperty('thread_ts')
    },
  )

  it('in a thread is answered there, also where it is shown outside of it as well', async () => {
    await written('status', { thread_ts: '3.3', subtype: 'thread_broadcast' })
    expect(bench.calls.at(-1)?.args).toMatchObject({ channel: 'D1', thread_ts: '3.3' })
  })

  it('may be a read that is not for all', async () => {
    expect(await written('help')).toEqual([expect.not.stringContaining('Type it')])
    expect(bench.said()).toHaveLength(1)
  })

  it.each(['', 'thanks!', 'good morning <!channel>', '/cdn', '<@UBOT>', '🙂'])(
    'that is none of its commands gets one line of help: %j',
    async (text) => {
      expect(await written(text)).toEqual([HELP])
      expect(asked).toEqual([])
    },
  )

  it('with a slip gets the command that was meant', async () => {
    expect(await written('lugs')).toEqual(['Did you mean “logs”? Nothing was done. Ask again with it.'])
  })

  it.each([
    ['a write to the platform', 'record add shop 192.0.2.10'],
    ['a write to the bot', 'alerts silence'],
    ['a sensitive read', 'keys list'],
  ])('that is %s is not done, and says how to type it', async (_, text) => {
    expect(await written(text, { user: 'UADA' })).toEqual([
      expect.stringContaining(
        `cannot be asked for here. Nothing was done. Type it as a command, outside of threads: /cdn ${text}`,
      ),
    ])
    expect(asked).toEqual([])
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['of the bot itself', { user: 'UBOT' }],
    ['of another program', { bot_id: 'B1' }],
    ['of Slack’s own bot', { user: 'USLACKBOT' }],
    ['of nobody', { user: undefined }],
    ['that is an edit', { subtype: 'message_changed', user: undefined, text: undefined }],
    ['that is a file', { subtype: 'file_share' }],
    ['that somebody joined', { subtype: 'channel_join' }],
    ['of a program by its subtype', { subtype: 'bot_message' }],
    ['in a channel', { channel_type: 'channel' }],
    ['in no kind of conversation', { channel_type: undefined }],
  ])('%s is not answered', async (_, changes) => {
    expect(await written('status', changes)).toEqual([])
    expect(bench.calls).toEqual([])
  })

  it('is answered no more than so many times a minute', async () => {
    const heard = listeningApp(bench.slack, () => undefined).handlers.get('message')
    const what = { ...event('thanks', { channel: 'D1' }), channel_type: 'im' }
    for (let count = 0; count < 200; count += 1) await heard?.({ ack: async () => undefined, body: {}, event: what })
    expect(bench.said().filter((text) => text === HELP)).toHaveLength(120)
    expect(bench.said()).toHaveLength(121)
  })
})

describe('an event of Slack', () => {
  it('that comes twice is answered once; an odd one is logged without its words', async () => {
    const heard = listeningApp(bench.slack, () => undefined).handlers.get('app_mention')
    const deliver = async (body: unknown, what: unknown) => heard?.({ ack: async () => undefined, body, event: what })
    for (const _ of [1, 2]) await deliver({ event_id: 'E1' }, event('<@UBOT> status'))
    expect(asked).toHaveLength(1)
    await deliver({}, { user: 7, text: 'hush' })
    expect(JSON.stringify(bench.log)).not.toContain('hush')
  })
})
