import { describe, expect, it } from 'vitest'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { alertsWatch } from '../../../src/operations/alerts/alerts-watch.ts'
import { changesSettle, changesShow } from '../../../src/operations/changes/changes.ts'
import type { ModalView } from '../../../src/block-kit/view.ts'
import { writePlace } from '../../../src/slack/form/form-place.ts'
import { onHomeOpened, type Board, type HomeContent, homeView } from '../../../src/slack/listeners/home-listener.ts'
import type { Answer } from '../../../src/operations/declaration/answer.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { deliver } from '../../support/recording-app.ts'
import { newTrigger, submission, useSlackBench } from '../../support/slack-bench.ts'
import type { Role } from '../../../src/operations/declaration/role.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { catalogFor } from '../../support/role-catalog.ts'
import { sampleChange } from '../../support/sample-change.ts'
import { sampleIncident } from '../../support/sample-incident.ts'
import { readText } from '../../support/read-text.ts'
import { viewProblems } from '../../support/slack-rules.ts'

const bench = useSlackBench()

/** A change of Olga's that waits for somebody else. */
async function waiting(): Promise<string> {
  const olga = actor('operator', 'UOLGA')
  const { change } = await reviewed(bench, { ...RECORD, billed: 'on' }, olga)
  await bench.changes.submit(change.id, olga)
  return change.id
}

async function home(user: string): Promise<string> {
  await onHomeOpened(user, bench.slack)
  return JSON.stringify(bench.calls.findLast(({ method }) => method === 'views.publish')?.args['view'])
}
const ASKED = 'home:approve'

function clicked(user: string, action: string, value?: string | null) {
  const actions = [{ action_id: `home:${action}`, value }]
  return { user: { id: user, team_id: 'T1' }, trigger_id: newTrigger(), actions }
}

async function press(...click: Parameters<typeof clicked>): Promise<void> {
  await deliver(bench.slack, 'action', clicked(...click))
}

describe('Home', () => {
  it('asks those for their approval whose word counts, and counts for all who may read that it waits', async () => {
    const id = await waiting()
    expect(await home('UOTTO')).toContain(ASKED)
    expect(await home('UADA')).toContain(ASKED)
    for (const user of ['UOLGA', 'UVERA']) expect(await home(user)).not.toContain(ASKED)
    expect(await home('UOLGA')).toContain(id)
    expect(await home('UVERA')).toContain('1 more for others')
    expect(await home('UNOBODY')).toContain('You have no role here')
    expect(await home('UNOBODY')).not.toMatch(/192\.0\.2\.10|[Ww]aiting for approval|for others/)
  })

  it('asks nobody, and counts the rest, while it cannot be found out who asked', async () => {
    await waiting()
    bench.people.unreachable = true
    expect(await home('UOTTO')).not.toContain(ASKED)
    expect(await home('UOTTO')).toContain('1 more for others')
    expect(bench.log.map(({ sentence }) => sentence)).toContain('whether a change waits for somebody was not found out')
  })

  it('is drawn while the store fails, and says so', async () => {
    await bench.store.close()
    expect(await home('UOTTO')).toContain('could not be read')
  })
})

describe('a click on Home', () => {
  const homes = () =>
    bench.calls.filter(({ method }) => method === 'views.publish').map(({ args }) => JSON.stringify(args))

  it('shows there at once that what was approved waits no more', async () => {
    const id = await waiting()
    await press('UOTTO', 'approve', id)
    const opened = bench.calls.findLast(({ method }) => method === 'views.open')?.args['view'] as ModalView
    await deliver(bench.slack, 'view_submission', submission('approve', opened.private_metadata ?? '', {}, 'UOTTO'))
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'done' })
    expect(homes()[0]).toContain('Nothing waits for you')
    expect(homes()).toHaveLength(2)
    expect(homes().at(-1)).not.toContain('more for others')
  })

  it('shows there once what was approved and waits for others still', async () => {
    bench.rules.policy = { ...bench.rules.policy, quorum: { count: 2, roles: ['operator', 'admin'], groups: [] } }
    const id = await waiting()
    const place = writePlace({ change: id, step: 0, onHome: true })
    await deliver(bench.slack, 'view_submission', submission('approve', place, {}, 'UOTTO'))
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'waiting' })
    expect(homes()).toHaveLength(1)
  })

  it.each([
    ['without the id of its change', 'open', undefined, 'It is a button without the id of its change.'],
    ['with null for that', 'approve', null, 'It is a button without the id of its change.'],
    ['with what is no id', 'open', '<id>', 'It is a button without the id of its change.'],
    ['of no operation', 'lines old', undefined, 'It is a button or shortcut of no operation.'],
  ])('is refused, on record, %s', async (_, action, value, detail) => {
    const operations = [...bench.slack.operations, changesShow]
    await deliver({ ...bench.slack, operations }, 'action', clicked('UVERA', action, value))
    expect(JSON.stringify(bench.calls)).toContain('so it was refused. Nothing was done.')
    expect((await bench.record()).at(-1)).toBe(`denied: ${detail}`)
  })

  it('approves though Home cannot be drawn again', async () => {
    const id = await waiting()
    bench.script.before = ({ method }) => {
      if (method === 'views.publish') throw new Error('Slack is slow')
    }
    const place = writePlace({ change: id, step: 0, onHome: true })
    await deliver(bench.slack, 'view_submission', submission('approve', place, {}, 'UOTTO'))
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'done' })
    expect(bench.log.map(({ sentence }) => sentence)).toContain('a Home page could not be drawn')
  })

  it.each([
    ['exists', 'done', undefined],
    ['absent', 'not_done', undefined],
    ['exists', 'done', { id: 'C1' }],
  ] as const)(
    'settles a change, which shows there, or is said where the button stood: %s',
    async (action, state, channel) => {
      const lost = { kind: 'unreachable', reason: 'timeout', sent: 'maybe' } as const
      bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', lost))
      const change = await bench.confirmed(RECORD, actor('operator', 'UOLGA'))
      await bench.sender.send(change)
      bench.calls.length = 0
      const operations = [...bench.slack.operations, changesSettle]
      const click = { ...clicked('UOLGA', action, change.id), channel }
      const acknowledged: unknown[] = []
      await deliver({ ...bench.slack, operations }, 'action', click, async () => {
        acknowledged.push((await bench.store.changes.get(change.id))?.state)
      })
      expect(acknowledged).toEqual([state])
      expect([homes().length, bench.said().length]).toEqual(channel === undefined ? [1, 0] : [0, 1])
    },
  )

  it('says where to type what is about a channel, to those who may, and why not to others', async () => {
    const options = { ...bench.slack, operations: [...bench.slack.operations, alertsWatch] }
    const click = (user: string) => deliver(options, 'action', clicked(user, alertsWatch.name))
    await click('UOLGA')
    expect(bench.shown('views.open')).toContain('alerts watch in the channel that it is for.')
    bench.calls.length = 0
    await click('UVERA')
    expect(JSON.stringify(bench.calls)).toContain('Only operators and admins can use alerts watch')
    expect(JSON.stringify(bench.calls)).not.toContain('in the channel that it is for')
  })

  it('opens a view that says to wait for what takes longer than a trigger lives, and shows the answer there', async () => {
    const operations = bench.slack.operations.map((each) =>
      each.name === 'lines list' ? { ...each, question: 'Which lines?' } : each,
    )
    const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<Answer>()]
    bench.acts.read = () => {
      begun.resolve()
      return slow.promise
    }
    const done = deliver({ ...bench.slack, operations }, 'action', clicked('UVERA', 'lines list'))
    await begun.promise
    bench.clock.turn(1_200)
    await expect.poll(() => bench.shown('views.open') ?? '').toContain('One moment')
    slow.resolve(plainAnswer('Three lines.'))
    await done
    expect(bench.read('views.update')).toBe('═══ Which lines ═══\nThree lines.\n[Done]')
    bench.acts.read = () => Promise.reject(new UserError('busy', 'Too much.'))
    await deliver({ ...bench.slack, operations }, 'action', clicked('UVERA', 'lines list'))
    expect(bench.read('views.open')).toBe('═══ Which lines ═══\n:warning: Too much.\n[Done]')
    await deliver({ ...bench.slack, operations }, 'action', clicked('UNOBODY', 'lines list'))
    expect(bench.read('views.open')).toMatch(/^═══ Nothing was done ═══\n:no_entry: Only people with a role can use/)
    expect(bench.said()).toEqual([])
  })

  it('opens what has to be read before an approval, for those whose word counts', async () => {
    const id = await waiting()
    await press('UOTTO', 'approve', id)
    expect(bench.shown('views.open')).toContain('Approve?')
    const before = bench.calls.length
    await press('UVERA', 'approve', id)
    expect(JSON.stringify(bench.calls.slice(before))).not.toContain('Approve?')
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'waiting' })
  })
})

const NOW = new Date('2026-11-20T12:00:00Z')
const ME = 'U0123456789'

function content(role: Role, board: Partial<Board> | undefined = {}, more: Partial<HomeContent> = {}): HomeContent {
  return {
    actor: { id: ME, team: 'T1', role, roleSource: 'listed in OPERATORS', groups: [], timeZone: 'UTC' },
    admins: ['U0ADA'],
    catalog: catalogFor({ role, groups: [] }),
    zones: [{ kind: 'pull', name: 'shop', zoneId: '301' }],
    board: { incidents: [], rules: [], openChanges: [], waiting: [], ...board },
    command: '/cdn',
    now: NOW,
    ...more,
  }
}

function change(id: number, changes: Partial<Change> = {}): Change {
  const createdAt = new Date(NOW.getTime() - id * 60_000)
  return sampleChange({ id: String(id).padStart(32, '0'), sentence: `Add record ${id}.`, createdAt, ...changes })
}

const rule = (subject: string, more: Partial<AlertRule> = {}): AlertRule => ({
  id: subject,
  kind: 'origin-failing',
  subject,
  channelId: 'C1',
  parameters: {},
  createdBy: ME,
  createdAt: NOW,
  ...more,
})

const shown = (...given: Parameters<typeof content>): string => JSON.stringify(homeView(content(...given)))
const buttonsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"action_id":"(home:[^"]*)"/g)].map(([, id = '']) => id)

describe('the Home page', () => {
  const mine = change(3, { state: 'waiting', requestedBy: ME })
  const [asked, lost] = [change(1, { state: 'waiting' }), change(2, { state: 'unknown', sentence: undefined })]
  const watched = [rule('pull/301'), rule('pull/302'), rule('pull/303', { pausedWhy: 'The channel is archived.' })]
  const fires = sampleIncident({}, { messageTs: '1.2' })
  const held = sampleIncident({}, { id: 'i2', subject: 'pull/302', acknowledgedBy: 'UOTTO' })
  const full = { incidents: [fires], rules: watched, waiting: [asked], openChanges: [asked, lost, mine] }
  const many = (count: number, of: (index: number) => Change) => Array.from({ length: count }, (_, index) => of(index))
  const crowded = {
    incidents: Array.from({ length: 6 }, (_, index) => sampleIncident({}, { id: `i${index}` })),
    rules: Array.from({ length: 32 }, (_, index) => rule(`pull/${index + 1}`)),
    openChanges: many(6, (index) => change(index, { state: 'unknown' })),
  }
  const BOTH = [fires, held]
  it.each<[string, Role, Partial<Board> | null, string]>([
    [
      'to somebody without a role',
      'none',
      { openChanges: [lost], incidents: [fires] },
      '# CDN Ops\n*You have no role here*: listed in OPERATORS.\nAsk an admin for one: @U0ADA\n[Refresh]',
    ],
    [
      'to an operator where nothing is watched',
      'operator',
      {},
      '# Nothing is watched yet\nNothing waits for you.\nWatch a zone first: type `/cdn alerts watch shop` in the channel that should hear of trouble.\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics] [API keys] [Add a DNS record] [New video library] [Watch pull zones]\nYou are an operator, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
    [
      'to a viewer where nothing is watched',
      'viewer',
      {},
      '# Nothing is watched yet\nNothing waits for you.\nAn operator can have a zone watched.\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics]\nYou are a viewer, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
    [
      'to a viewer while the store does not answer',
      'viewer',
      null,
      '# CDN Ops\nWhat is going on could not be read. Refresh in a minute.\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics]\nYou are a viewer, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
    [
      'to a viewer, with what others wait for',
      'viewer',
      { ...full, incidents: BOTH, waiting: [] },
      '# 🔴 2 alerts fire\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1&message_ts=1.2)\n🔴 *pull zone 302: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · looked after by @UOTTO · Open (https://slack.com/app_redirect?team=T1&channel=C1)\nNothing waits for you.\n*You asked for*\n:hourglass_flowing_sand: *Add record 3.*\nWaiting for approval · @U0123456789 · until 2026-11-20 13:00 UTC\n[Open]\n2 more for others: `/cdn changes list`\n*Watched*: 🔴 shop · 🔴 pull zone 302 · ⏸️ pull zone 303 (alerts paused)\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics]\nYou are a viewer, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
    [
      'to a viewer, with what of their own nobody knows',
      'viewer',
      { rules: watched.slice(0, 1), openChanges: [{ ...lost, requestedBy: ME }] },
      '# 🟢 No alerts now\n*Waits for you*\n:grey_question: *record add*\nUnknown · @U0123456789 · 2026-11-20 11:58 UTC\n[Open]\n*Watched*: 🟢 shop\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics]\nYou are a viewer, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
    [
      'to an operator, with what waits for them',
      'operator',
      full,
      '# 🔴 1 alert fires\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1&message_ts=1.2)\n*Waits for you*\n:hourglass_flowing_sand: *Add record 1.*\nWaiting for approval · @UOLGA · until 2026-11-20 13:00 UTC\n[Approve …] [Open]\n:grey_question: *record add*\nUnknown · @UOLGA · 2026-11-20 11:58 UTC\n[It exists] [It does not exist] [Open]\n*You asked for*\n:hourglass_flowing_sand: *Add record 3.*\nWaiting for approval · @U0123456789 · until 2026-11-20 13:00 UTC\n[Open]\n*Watched*: 🔴 shop · 🟢 pull zone 302 · ⏸️ pull zone 303 (alerts paused)\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics] [API keys] [Add a DNS record] [New video library] [Watch pull zones]\nYou are an operator, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
    [
      'to an operator, five of each kind',
      'operator',
      crowded,
      '# 🔴 6 alerts fire\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1)\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1)\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1)\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1)\n🔴 *shop: origin failing, visitors get old content* · 34 % STALE\nsince 2026-11-20 11:30 UTC · `C1` · nobody has acknowledged it · Open (https://slack.com/app_redirect?team=T1&channel=C1)\nand 1 more: `/cdn alerts list --all`\n*Waits for you*\n:grey_question: *Add record 0.*\nUnknown · @UOLGA · 2026-11-20 12:00 UTC\n[It exists] [It does not exist] [Open]\n:grey_question: *Add record 1.*\nUnknown · @UOLGA · 2026-11-20 11:59 UTC\n[It exists] [It does not exist] [Open]\n:grey_question: *Add record 2.*\nUnknown · @UOLGA · 2026-11-20 11:58 UTC\n[It exists] [It does not exist] [Open]\n:grey_question: *Add record 3.*\nUnknown · @UOLGA · 2026-11-20 11:57 UTC\n[It exists] [It does not exist] [Open]\n:grey_question: *Add record 4.*\nUnknown · @UOLGA · 2026-11-20 11:56 UTC\n[It exists] [It does not exist] [Open]\nand 1 more: `/cdn changes list`\n*Watched*: 🟢 pull zone 1 · 🟢 pull zone 2 · 🟢 pull zone 3 · 🟢 pull zone 4 · 🟢 pull zone 5 · 🟢 pull zone 6 · 🟢 pull zone 7 · 🟢 pull zone 8 · 🟢 pull zone 9 · 🟢 pull zone 10 · 🟢 pull zone 11 · 🟢 pull zone 12 · 🟢 pull zone 13 · 🟢 pull zone 14 · 🟢 pull zone 15 · 🟢 pull zone 16 · 🟢 pull zone 17 · 🟢 pull zone 18 · 🟢 pull zone 19 · 🟢 pull zone 20 · 🟢 pull zone 21 · 🟢 pull zone 22 · 🟢 pull zone 23 · 🟢 pull zone 24 · 🟢 pull zone 25 · 🟢 pull zone 26 · 🟢 pull zone 27 · 🟢 pull zone 28 · 🟢 pull zone 29 · 🟢 pull zone 30 · and 2 more\n────────────────────────────────────────\n[Is it healthy?] [What happened last night?] [Log lines] [Storage statistics] [API keys] [Add a DNS record] [New video library] [Watch pull zones]\nYou are an operator, listed in OPERATORS. Everything can be typed, too: `/cdn help` · As of 2026-11-20 12:00 UTC\n[Refresh]',
    ],
  ])('shows what fires, what waits and what is watched before any button of a command: %s', (_, role, board, text) => {
    const view = homeView({ ...content(role, board ?? {}), ...(board === null && { board: undefined }) })
    expect(readText(view)).toBe(text)
  })

  it('has buttons for what can be done about each change, and for the eight commands that somebody may use', () => {
    const commands = (names: readonly string[]) => names.map((name) => `home:${name}`)
    const reads = ['status', 'history', 'logs', 'storage stats']
    const all = [...reads, 'keys list', 'dns add', 'library create', 'alerts watch']
    const [waits, unknown] = [
      ['approve', 'open'],
      ['exists', 'absent', 'open'],
    ]
    expect(buttonsOf(shown('operator', full))).toEqual(commands([...waits, ...unknown, 'open', ...all, 'refresh']))
    expect(buttonsOf(shown('viewer', { ...full, waiting: [] }))).toEqual(commands(['open', ...reads, 'refresh']))
    const labels = [...shown('viewer').matchAll(/"accessibility_label":"([^"]*)"/g)].map(([, label]) => label)
    expect(labels[0]).toBe('Is it healthy?: Show how a pull zone does now, or all that are watched')
  })

  it.each(['none', 'viewer', 'operator', 'admin'] as const)('is within the limits of Slack for the role %s', (role) => {
    const sentence = `<!channel> ${'x'.repeat(3_000)}`
    const openChanges = Array.from({ length: 50 }, (_, index) => change(index, { state: 'unknown', sentence }))
    const incidents = Array.from({ length: 50 }, (_, index) =>
      sampleIncident({}, { id: String(index), subject: `pull/${index + 1}` }),
    )
    const rules = Array.from({ length: 200 }, (_, index) => rule(`pull/${index + 1}`))
    const zones = rules.map((_, index) => ({
      kind: 'pull' as const,
      name: `<!here>${'z'.repeat(100)}`,
      zoneId: String(index + 1),
    }))
    const view = homeView(content(role, { incidents, rules, openChanges, waiting: openChanges }, { zones }))
    expect(viewProblems(view)).toEqual([])
    expect(JSON.stringify(view.blocks.filter(({ type }) => type !== 'actions'))).not.toMatch(/<!(channel|here)>/)
  })
})
