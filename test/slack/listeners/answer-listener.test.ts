import { describe, expect, it } from 'vitest'
import type { NewAnswer } from '../../../src/store/answers.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { actor } from '../../support/execution-bench.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { deliver } from '../../support/recording-app.ts'
import { click, useSlackBench } from '../../support/slack-bench.ts'

const bench = useSlackBench()

const KEPT: NewAnswer = {
  id: 'a1',
  kind: 'page',
  operation: 'lines list',
  values: { page: '2' },
  actorId: 'UVERA',
  team: 'T1',
  channelId: 'C1',
}

async function clicked(changes: Partial<NewAnswer> = {}, ...more: Partial<Parameters<typeof click>[2]>[]) {
  const kept = { ...KEPT, ...changes }
  await bench.store.answers.put(kept)
  await deliver(bench.slack, 'action', click(`answer:${kept.kind}:0`, 'a1', more[0]))
  return bench.said()
}
const shown = (text: string) => ({ message: plainAnswer(text).message })

describe('a click', () => {
  it('on a page button runs the operation again with the values kept, in place of what is shown', async () => {
    bench.acts.read = async () => plainAnswer('Page two.')
    expect(await clicked()).toEqual(['Page two.'])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'respond', args: { replace_original: true } })
  })

  it.each([
    ['that was asked for outside of any channel', undefined],
    ['that its channel did not take', 'C1'],
  ])('on one under an answer %s works in direct messages, where that went', async (_, channelId) => {
    expect(await clicked({ channelId }, { channel: { id: 'D1' } })).toEqual(['Three lines.'])
  })

  it('on one whose answer comes beside what is shown leaves that in place', async () => {
    await bench.store.answers.put(KEPT)
    await deliver(bench.slack, 'action', click('answer:page:0:beside', 'a1'))
    expect(bench.calls.at(-1)).toMatchObject({ method: 'respond', args: { replace_original: false } })
  })

  it('on a page button that writes, as Undo does, has its effect before Slack hears of it, under its own key', async () => {
    await bench.store.answers.put({ ...KEPT, operation: 'name add', values: { kind: 'dns' }, actorId: 'UOLGA' })
    const order: unknown[] = []
    bench.acts.read = async ({ once }) => {
      order.push(once)
      return plainAnswer('Named again.')
    }
    const undo = click('answer:page:0', 'a1', { user: { id: 'UOLGA' } })
    const notAfterMs = bench.clock.monotonicMs() + 2_000
    await deliver(bench.slack, 'action', undo, async () => void order.push('ack'))
    expect(order).toEqual([{ key: 'click:a1', notAfterMs }, 'ack'])
  })

  it('on Undo leaves what was clicked as it is, however long it takes: the answer comes into the channel', async () => {
    await bench.store.answers.put({ ...KEPT, operation: 'name add', values: { kind: 'dns' }, actorId: 'UOLGA' })
    bench.acts.read = async (context) => {
      context.progress('Reading the log')
      bench.clock.turn(2_000)
      return plainAnswer('Named again.')
    }
    await deliver(bench.slack, 'action', click('answer:page:0', 'a1', { user: { id: 'UOLGA' } }))
    expect(bench.calls.filter(({ args }) => args['text'] !== undefined)).toMatchObject([
      { method: 'respond', args: { text: 'Reading the log', replace_original: false } },
      { method: 'chat.postMessage', args: { text: 'Named again.' } },
    ])
  })

  it('delivered twice is answered once', async () => {
    await bench.store.answers.put(KEPT)
    const once = click('answer:page:0', 'a1')
    for (const _ of [1, 2]) await deliver(bench.slack, 'action', once)
    expect(bench.said()).toEqual(['Three lines.'])
  })

  it('on Share posts what was shown, with who shared it, once', async () => {
    const share = { kind: 'share', ...shown('Three lines.') } as const
    expect(await clicked(share)).toEqual(['Three lines.'])
    expect(bench.calls.at(-1)).toMatchObject({ method: 'chat.postMessage', args: { channel: 'C1' } })
    expect(JSON.stringify(bench.calls.at(-1)?.args)).toContain('Shared by <@UVERA>')
    await deliver(bench.slack, 'action', click('answer:share', 'a1'))
    expect(bench.said().at(-1)).toMatch(/^This button has expired\. Nothing was done\./)
  })

  it('on Share delivered twice says nothing of the second', async () => {
    await bench.store.answers.put({ ...KEPT, kind: 'share', ...shown('Three lines.') })
    const once = click('answer:share', 'a1')
    for (const _ of [1, 2]) await deliver(bench.slack, 'action', once)
    expect(bench.said()).toEqual(['Three lines.'])
  })

  it('on Share of two at once posts once', async () => {
    await bench.store.answers.put({ ...KEPT, kind: 'share', ...shown('Three lines.') })
    await Promise.all([1, 2].map(() => deliver(bench.slack, 'action', click('answer:share', 'a1'))))
    expect(bench.said().filter((text) => text === 'Three lines.')).toHaveLength(1)
    expect(bench.said()).toContainEqual(expect.stringMatching(/shared already|has expired/))
  })

  it('on Share by somebody who has lost their role shares nothing, on record', async () => {
    bench.script.profile = { is_restricted: true }
    expect(await clicked({ kind: 'share', ...shown('Three lines.') })).toEqual([
      expect.stringMatching(/Only people with a role can use .*; you have no role\. Nothing was done\./),
    ])
    expect(await bench.record()).toContainEqual(expect.stringMatching(/^denied: /))
  })

  it('on details shows them to anybody with a role, wherever the message is', async () => {
    const more = { kind: 'more', actorId: 'UOLGA', channelId: 'C9', ...shown('All of it.') } as const
    expect(await clicked(more)).toEqual(['All of it.'])
    const ask = expect.objectContaining({ block_id: 'access' })
    for (const [user, blocks] of [
      ['UNOBODY', expect.arrayContaining([ask])],
      ['UGUEST', expect.not.arrayContaining([ask])],
    ] as const) {
      bench.script.profiles = { UGUEST: { is_restricted: true } }
      await deliver(bench.slack, 'action', click('answer:more:0', 'a1', { user: { id: user } }))
      const text = 'The details are for people with a role. Nothing was shown. An admin can help.'
      expect(bench.calls.at(-1)?.args).toMatchObject({ text, blocks })
    }
  })

  it('on details by somebody who has lost their role says so, on record', async () => {
    const more = { kind: 'more', actorId: 'UOLGA', ...shown('All of it.') } as const
    await clicked(more)
    bench.slack.people.actor = async () => ({ ...actor('none', 'UVERA'), role: 'none', formerRole: 'viewer' })
    await deliver(bench.slack, 'action', click('answer:more:0', 'a1'))
    expect(bench.said().at(-1)).toMatch(/^The details are for people with a role; you were a viewer until lately\. /)
  })

  it('on a form button opens the form, filled in with what was kept', async () => {
    const values = { zone: 'shop', value: 'as before' }
    await clicked({ kind: 'form', operation: 'record add', actorId: 'UOLGA', values }, { user: { id: 'UOLGA' } })
    expect(bench.shown('views.open')).toContain('Step 1 of 2')
    expect(bench.shown('views.open')).toContain('"initial_value":"as before"')
    expect(bench.said()).toEqual([])
  })

  it('on a form button of what CDN Ops says by itself opens the form for whoever may use it, and for nobody else', async () => {
    const offered = { kind: 'form', operation: 'record add', actorId: 'cdn-ops', values: {} } as const
    expect(await clicked(offered)).toEqual([expect.stringMatching(/Only operators .*can use .*; you are a viewer/)])
    await deliver(bench.slack, 'action', click('answer:form:0', 'a1', { user: { id: 'UOLGA' } }))
    expect(bench.shown('views.open')).toContain('Step 1 of 2')
  })
})

describe('Ask for access', () => {
  const ask = (user: string, changes: Parameters<typeof click>[2] = {}, ack?: () => Promise<void>) =>
    deliver(bench.slack, 'action', click('access:ask', 'record add', { user: { id: user }, ...changes }), ack)
  const told = async () => (await bench.store.outbox.claim(5)).map(({ channelId }) => channelId)
  const WORDS = 'Asked somebody: they see that you wanted record add.'

  it('tells the admins before Slack hears of it, and whoever asked, once', async () => {
    const heard: unknown[] = []
    const again = { trigger_id: 'one' }
    for (const _ of [1, 2]) await ask('UVERA', again, async () => void heard.push(await told()))
    expect(heard).toEqual([['UADA'], []])
    expect(bench.said()).toEqual([WORDS])
    expect(bench.calls.at(-1)?.args).toMatchObject({ response_type: 'ephemeral' })
  })

  it('in a view says so there', async () => {
    await ask('UVERA', {
      channel: null,
      response_url: undefined,
      view: { id: 'V7', callback_id: 'notice', private_metadata: '' },
    })
    expect(bench.calls.at(-1)?.args).toMatchObject({ view_id: 'V7' })
    expect(bench.read('views.update')).toBe(
      '═══ Access ═══\nAsked @UADA: they see that you wanted *record add*.\n[Done]',
    )
    expect(bench.said()).toEqual([])
  })

  it('in a view that Slack does not update says so in a message', async () => {
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError(method, 'no_answer')
    }
    const view = { id: 'V7', callback_id: 'notice', private_metadata: '' }
    await ask('UVERA', { channel: null, response_url: undefined, view })
    expect(bench.said()).toEqual([WORDS])
  })

  it('looks anew at who it is, and is refused for no operation, on record', async () => {
    await ask('UOLGA')
    const inTeam = { user: { id: 'UOLGA', team_id: 'T1' } }
    await ask('UOLGA', { ...inTeam, actions: [{ action_id: 'access:ask', value: 'hush' }] })
    expect(bench.said()).toEqual(['You can use record add now.', REFUSED])
    bench.clock.turn(3_000)
    await ask('UOLGA')
    expect(bench.calls.filter(({ method }) => method === 'users.info')).toHaveLength(2)
    const detail = 'It asks for access to no operation.'
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([{ event: 'denied', team: 'T1', detail }])
  })
})

const REFUSED =
  'What Slack sent does not fit what CDN Ops has shown here, so it was refused. Nothing was done. Start again; if it goes on, tell whoever runs CDN Ops.'

describe('a button does nothing', () => {
  it('of somebody else, on record', async () => {
    expect(await clicked({}, { user: { id: 'UOLGA' } })).toEqual([
      'This button belongs to the person who asked. Nothing was done. Type the command to get one of your own.',
    ])
    const reason = 'This button belongs to the person who asked.'
    const entry = { event: 'denied', actor: 'UOLGA', operation: 'lines list', summary: 'The answer of lines list' }
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([{ ...entry, detail: reason }])
  })

  const gone = ['This button has expired. Nothing was done. Ask again to get a fresh answer.']

  it('after half an hour', async () => {
    await bench.store.answers.put(KEPT)
    bench.clock.turn(30 * 60_000)
    await deliver(bench.slack, 'action', click('answer:page:0', 'a1'))
    expect(bench.said()).toEqual(gone)
  })

  const ELSEWHERE = 'in another channel than it was shown in.'
  const NO_ID = 'without the id it carries.'
  it.each([
    ['in another channel', click('answer:page:0', 'a1', { channel: { id: 'C2' } }), ELSEWHERE, 'lines list'],
    ['without a channel', click('answer:page:0', 'a1', { channel: null }), ELSEWHERE, 'lines list'],
    ['of another kind', click('answer:share', 'a1'), 'of another kind than was shown.', 'lines list'],
    ['like one of ours at its beginning', click('answer:pages', 'a1'), 'that CDN Ops does not have.', 'delivery'],
    ['without a value', click('answer:page:0', undefined), NO_ID, 'delivery'],
    [
      'with null',
      click('answer:page:0', '', { actions: [{ action_id: 'answer:page', value: null }] }),
      NO_ID,
      'delivery',
    ],
  ])('%s, on record', async (_, clickedThere, what, operation) => {
    await bench.store.answers.put(KEPT)
    bench.acts.read = () => expect.unreachable('The button does nothing')
    await deliver(bench.slack, 'action', clickedThere)
    expect(bench.said()).toEqual([REFUSED])
    const summary = 'A delivery of Slack that does not fit what was shown'
    const detail = `It is a button ${what}`
    const entry = { actor: 'UVERA', team: 'unknown', operation, event: 'denied', summary, detail }
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([entry])
    expect(bench.log).toMatchObject([{ level: 'warn', fields: { operation, user: 'UVERA', what: detail } }])
  })

  it('that is unknown: its answer is gone', async () => {
    await deliver(bench.slack, 'action', click('answer:page:0', 'nowhere'))
    expect(bench.said()).toEqual(gone)
  })

  it('of an operation that no longer exists or has no form, or whose values no longer fit', async () => {
    expect(await clicked({ operation: 'lines old' })).toEqual([
      'This belongs to an operation that no longer exists. See the help.',
    ])
    await bench.store.answers.put({ ...KEPT, id: 'a3', kind: 'form', values: { odd: '1' } })
    await deliver(bench.slack, 'action', click('answer:form:0', 'a3'))
    expect(bench.said().at(-1)).toBe('lines list has no form. Nothing was done. Type it instead.')
    // Without a trigger there is no way to open one.
    const form = { id: 'a4', kind: 'form', operation: 'record add', values: {}, actorId: 'UOLGA' } as const
    await bench.store.answers.put({ ...KEPT, ...form })
    await deliver(bench.slack, 'action', click('answer:form:0', 'a4', { user: { id: 'UOLGA' }, trigger_id: undefined }))
    expect(bench.said().at(-1)).toBe('Slack gave no way to open a form here. Nothing was done. Type the command again.')
    await bench.store.answers.put({ ...KEPT, id: 'a2', values: { odd: '1' } })
    await deliver(bench.slack, 'action', click('answer:page:0', 'a2'))
    expect(bench.said().at(-1)).toBe('What this button asks for is no longer valid. Nothing was done. Ask again.')
  })
})
