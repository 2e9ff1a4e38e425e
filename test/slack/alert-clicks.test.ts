import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { INCIDENT_ACTIONS, INCIDENT_MENU } from '../../src/alerts/incidents/incident-controls.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { sampleDoc } from '../support/sample-incident.ts'
import { deliver } from '../support/recording-app.ts'
import { click, createSlackBench, type SlackBench } from '../support/slack-bench.ts'

const ID = '0123456789abcdef0123456789abcdef'
const TS = '9.9'
let bench: SlackBench
let asked: unknown[]
beforeEach(async () => {
  asked = []
  const queryLogs = async (zone: unknown) => Promise.reject(asked.push(zone))
  bench = await createSlackBench({ operations: () => OPERATIONS, cdn: { queryLogs } })
  const at = bench.clock.now()
  const incident = { id: ID, subject: 'pull/301', channelId: 'C1', openedAt: at, doc: sampleDoc() }
  const posts = [{ incidentId: ID, channelId: 'C1', what: 'card', dueAt: at } as const]
  await bench.store.alerts.commit({ subject: 'pull/301', revision: 0, watch: {}, incidents: [incident], posts })
  const [card] = await bench.store.outbox.claim(1)
  if (card !== undefined) await bench.store.outbox.delivered(card, { messageTs: TS, revision: 1, at })
})
afterEach(() => bench.close())

const entries = async () =>
  (await bench.store.audit.list({ limit: 20 })).flatMap(({ event }) => (event.startsWith('alert_') ? [event] : []))

async function press(actionId: string, user: string): Promise<void> {
  return use(click(actionId, ID, { container: { message_ts: TS }, user: { id: user } }))
}

async function choose(actionId: string, user: string): Promise<void> {
  const chosen = { action_id: INCIDENT_MENU, selected_option: { value: `${actionId} ${ID}` } }
  return use({ ...click(INCIDENT_MENU, ID, { container: { message_ts: TS }, user: { id: user } }), actions: [chosen] })
}

async function use(payload: ReturnType<typeof click>): Promise<void> {
  // Slack may deliver a click again.
  for (const _ of [1, 2]) await deliver(bench.slack, 'action', payload)
}

describe('with the operations there are', () => {
  it('Acknowledge acknowledges, on record and once, and the message is brought up to date', async () => {
    await press(INCIDENT_ACTIONS.acknowledge.id, 'UOLGA')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UOLGA' })
    expect(await bench.store.outbox.claim(5)).toMatchObject([
      { what: 'card', incidentId: ID },
      { what: 'webhook', incidentId: ID, body: { status: 'acknowledged' } },
    ])
    const entries = await bench.store.audit.list({ limit: 10 })
    expect(entries.filter(({ event }) => event === 'alert_acknowledged')).toHaveLength(1)
  })

  it('Not a problem ends it, on record and once, and who clicks later is told kindly', async () => {
    await press(INCIDENT_ACTIONS.dismiss.id, 'UOLGA')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ dismissedBy: 'UOLGA', endedAt: bench.clock.now() })
    const entries = await bench.store.audit.list({ limit: 10 })
    expect(entries.filter(({ event }) => event === 'alert_dismissed')).toHaveLength(1)
    await press(INCIDENT_ACTIONS.dismiss.id, 'UOLGA')
    expect(bench.said()).toContainEqual(expect.stringContaining('has said so already.'))
  })

  it('Acknowledge of a viewer stops no reminder and tells them what it takes, unless the configuration lets them', async () => {
    await press(INCIDENT_ACTIONS.acknowledge.id, 'UVERA')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: undefined })
    expect(await bench.store.outbox.claim(5)).toEqual([])
    expect(bench.calls.at(-1)?.args).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringMatching(/Only operators and admins can use .*; you are a viewer\. Nothing was done\.$/),
    })
    bench.rules.policy = { ...bench.rules.policy, acknowledge: 'viewer' }
    await press(INCIDENT_ACTIONS.acknowledge.id, 'UVERA')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UVERA' })
  })

  it('Take over takes over from whoever has it, and can be taken back, each on record and once', async () => {
    await press(INCIDENT_ACTIONS.acknowledge.id, 'UOLGA')
    await choose(INCIDENT_ACTIONS.takeOver.id, 'UOTTO')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UOTTO' })
    await choose(INCIDENT_ACTIONS.release.id, 'UOLGA')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: undefined })
    expect((await bench.store.alerts.events([ID])).map(({ kind, person }) => [kind, person])).toEqual([
      ['acknowledged', 'UOLGA'],
      ['taken_over', 'UOTTO'],
      ['released', 'UOLGA'],
    ])
    expect((await entries()).toReversed()).toEqual(['alert_acknowledged', 'alert_taken_over', 'alert_released'])
  })

  it('Hand over opens a form that needs the person and nothing else, and changes nothing yet', async () => {
    await press(INCIDENT_ACTIONS.acknowledge.id, 'UOLGA')
    await choose(INCIDENT_ACTIONS.handOver.id, 'UOLGA')
    const views = bench.calls.filter(({ method }) => method === 'views.open')
    expect(views).toHaveLength(1)
    const view = { submit: { text: 'Hand over' }, blocks: [{ block_id: 'person', optional: false }] }
    expect(views[0]?.args).toMatchObject({ view })
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UOLGA' })
  })

  const mention = async (user: string, text: string, thread: string | undefined = TS, ts = '10.1') => {
    const event = { user, team: 'T1', channel: 'C1', ts, thread_ts: thread, text: `<@UBOT> ${text}` }
    for (const _ of [1, 2]) await deliver(bench.slack, 'app_mention', event)
  }
  const notes = async () => (await bench.store.alerts.events([ID])).map(({ person, text }) => `${person}: ${text}`)

  it('a note in the thread is kept once, as it was typed, and the thread says so', async () => {
    await mention('UOLGA', 'note: disk &lt;full&gt; at <https://shop.example|shop.example>,\nsee <@UBOT> and <@UOTTO>')
    await mention('UOLGA', 'Note again', TS, '10.2')
    expect(await notes()).toEqual(['UOLGA: disk <full> at shop.example,\nsee   and @UOTTO', 'UOLGA: again'])
    expect(await entries()).toEqual(['alert_noted', 'alert_noted'])
    // Its thread says it, and nobody else.
    expect(bench.said().join(' ')).not.toContain('Noted')
    const [reply] = await bench.store.outbox.claim(5)
    expect(reply).toMatchObject({ what: 'reply', incidentId: ID, body: { kind: 'note', person: 'UOLGA' } })
  })

  it('an acknowledgement or a hand-over in the thread is done once, and said to whoever wrote it', async () => {
    await mention('UOLGA', 'ack I restart it')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UOLGA' })
    expect(bench.said().join(' ')).toContain('Reminders stop. Your note is in its thread.')
    await mention('UOLGA', 'hand over to <@UOTTO>', TS, '10.2')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UOTTO' })
    expect((await entries()).toSorted()).toEqual(['alert_acknowledged', 'alert_taken_over'])
    expect((await notes()).filter((note) => note.includes('restart'))).toEqual(['UOLGA: I restart it'])
    expect(bench.said()).toContain('The alert about pull zone 301 is looked after by somebody now.')
  })

  it('a hand-over in the thread that cannot be is told as it is', async () => {
    await mention('UOLGA', 'hand over to Otto')
    expect(bench.said().at(-1)).toMatch(/^Person is nobody CDN Ops found in Slack: .* Nothing was done\./)
    // Slack may write the name beside the id.
    await mention('UOLGA', 'assign <@UOTTO|Otto K.>', TS, '10.2')
    expect(await bench.store.alerts.incident(ID)).toMatchObject({ acknowledgedBy: 'UOTTO' })
    await press(INCIDENT_ACTIONS.dismiss.id, 'UOTTO')
    await mention('UOLGA', 'hand over to <@UOLGA>', TS, '10.3')
    expect(bench.said()).toContain('The alert about pull zone 301 is over: there is nothing to hand over.')
  })

  it('an answer in the thread while the store does not say whose thread it is, is told so', async () => {
    bench.store.alerts.incidents = () => Promise.reject(new StoreError('unreachable'))
    await mention('UOLGA', 'ack')
    expect(bench.said().at(-1)).toMatch(/^The database of CDN Ops does not answer\. Nothing was done/)
  })

  it('a note that cannot be kept is refused to whoever wrote it alone', async () => {
    await mention('UVERA', 'note mine')
    expect(bench.said().at(-1)).toContain('Only operators and admins can use')
    await mention('UOLGA', 'note')
    expect(bench.said().at(-1)).toContain('Note is needed')
    await mention('UOLGA', `note ${'x'.repeat(501)}`)
    expect(bench.said().at(-1)).toContain('at most 500 are allowed')
    await mention('UOLGA', 'note here', '7.7')
    expect(bench.said().at(-1)).toContain('No alert is known in this thread, so nothing was done.')
    await mention('UOLGA', `note ${['xoxb', '1234567890', '1234567890', 'abcdefghijklmnop'].join('-')}`)
    expect(bench.said().at(-1)).toContain('looks like a key')
    expect(await notes()).toEqual([])
    expect(bench.calls.filter(({ method }) => method === 'chat.postMessage')).toEqual([])
  })

  it.each([
    [INCIDENT_ACTIONS.silenceHour.id, '2026-11-20T13:00:00.000Z'],
    [INCIDENT_ACTIONS.silenceShift.id, '2026-11-20T20:00:00.000Z'],
    [INCIDENT_ACTIONS.silenceNight.id, '2026-11-21T07:00:00.000Z'],
  ])('%s silences once, until %s where the reader’s morning is', async (actionId, until) => {
    bench.script.profile = { tz: 'Europe/Warsaw' }
    await choose(actionId, 'UOLGA')
    await press(actionId, 'UOLGA')
    const silences = await bench.store.silences.list(bench.clock.now())
    expect(silences.map((silence) => silence.until.toISOString())).toEqual([until])
    expect(silences).toMatchObject([{ subject: 'pull/301', channelId: 'C1', by: 'UOLGA' }])
  })

  it('Why? and the end of a silence are found in the menu and under a button', async () => {
    await choose(INCIDENT_ACTIONS.silenceHour.id, 'UOLGA')
    await press(INCIDENT_ACTIONS.unsilence.id, 'UOLGA')
    expect(await bench.store.silences.list(bench.clock.now())).toEqual([])
    await choose(INCIDENT_ACTIONS.why.id, 'UVERA')
    expect(bench.said().at(-1)).toContain('Why this alert about pull zone 301?')
  })

  it('a question in the thread is about the incident’s zone', async () => {
    const event = { user: 'UVERA', team: 'T1', channel: 'C1', ts: '10.1', thread_ts: TS }
    await deliver(bench.slack, 'app_mention', { ...event, text: '<@UBOT> logs 5xx' })
    expect(asked).toContain(301n)
    expect(bench.calls.at(-1)?.args).toMatchObject({ channel: 'C1', thread_ts: TS })
  })
})
