import { describe, expect, it } from 'vitest'
import type { ModalView } from '../../../src/block-kit/view.ts'
import { writePlace } from '../../../src/slack/form/form-place.ts'
import { onHomeOpened, type Board, type HomeContent, homeView } from '../../../src/slack/listeners/home-listener.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { deliver } from '../../support/recording-app.ts'
import { newTrigger, submission, useSlackBench } from '../../support/slack-bench.ts'
import type { Role } from '../../../src/operations/declaration/role.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import type { Change } from '../../../src/store/schema/change.ts'
import { catalogFor } from '../../support/role-catalog.ts'
import { sampleChange } from '../../support/sample-change.ts'
import { sampleIncident } from '../../support/sample-incident.ts'
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

async function press(user: string, action: string, value?: string): Promise<void> {
  const actions = [{ action_id: `home:${action}`, value }]
  await deliver(bench.slack, 'action', { user: { id: user, team_id: 'T1' }, trigger_id: newTrigger(), actions })
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
    expect(bench.log.map(({ sentence }) => sentence)).toContain('what waits for somebody could not be found out')
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
  it('shows what fires, what waits and what is watched before any button of a command', () => {
    const text = shown('operator', {
      incidents: [sampleIncident({}, { messageTs: '1.2' })],
      rules: [rule('pull/301'), rule('pull/302'), rule('pull/303', { pausedWhy: 'The channel is archived.' })],
      waiting: [change(1, { state: 'waiting' })],
      openChanges: [
        change(1, { state: 'waiting' }),
        change(2, { state: 'unknown' }),
        change(3, { state: 'waiting', requestedBy: ME }),
      ],
    })
    const order = [
      '1 alert fires',
      'shop: origin failing',
      'Add record 1.',
      'Add record 2.',
      'Add record 3.',
      'Watched',
      'home:status',
    ]
    expect(order.map((each) => text.indexOf(each))).toEqual(
      order.map((each) => text.indexOf(each)).toSorted((a, b) => a - b),
    )
    expect(order.filter((each) => !text.includes(each))).toEqual([])
    expect(text).toContain(`until <!date^${NOW.getTime() / 1_000 + 3_600}^`)
    expect(text).toContain('app_redirect?team=T1&amp;channel=C1&amp;message_ts=1.2|Open')
    expect(text).toContain('🔴 shop · 🟢 pull zone 302 · ⏸️ pull zone 303 (alerts paused)')
    expect(buttonsOf(text).slice(0, 7)).toEqual([
      'home:approve',
      'home:open',
      'home:exists',
      'home:absent',
      'home:open',
      'home:open',
      'home:status',
    ])
  })

  it('has eight buttons for the eight commands, and only those that somebody may use', () => {
    const commands = (role: Role) => buttonsOf(shown(role)).filter((id) => id !== 'home:refresh')
    expect(commands('operator')).toEqual(
      ['status', 'history', 'logs', 'storage stats', 'keys list', 'dns add', 'library create', 'alerts watch'].map(
        (name) => `home:${name}`,
      ),
    )
    expect(commands('viewer')).toEqual(['home:status', 'home:history', 'home:logs', 'home:storage stats'])
  })

  it('tells somebody without a role who gives one, and shows nothing of what goes on', () => {
    const text = shown('none', { openChanges: [change(1)], incidents: [sampleIncident()] })
    expect(text).toContain('You have no role here')
    expect(text).toContain('Ask an admin for one: <@U0ADA>')
    expect(text).not.toMatch(/Add record|alert fires/)
    expect(buttonsOf(text)).toEqual(['home:refresh'])
  })

  it('says what to do first where nothing is watched', () => {
    expect(shown('operator')).toContain('type `/cdn alerts watch shop` in the channel that should hear of trouble')
    expect(shown('viewer')).toContain('An operator can have a zone watched.')
    expect(shown('operator', { rules: [rule('pull/301')] })).toContain('🟢 No alerts now')
  })

  it('shows the end of a change only to those who may settle it, and counts what waits for others', () => {
    const openChanges = [change(1, { state: 'unknown' }), change(2, { state: 'waiting' })]
    expect(buttonsOf(shown('viewer', { openChanges }))).not.toContain('home:exists')
    expect(shown('viewer', { openChanges })).toContain('2 more for others: `/cdn changes list`')
    expect(shown('viewer', { openChanges })).toContain('Nothing waits for you.')
    const own = shown('viewer', { openChanges: [change(1, { state: 'unknown', requestedBy: ME })] })
    expect(own).toContain('Add record 1.')
    expect(buttonsOf(own)).not.toContain('home:exists')
  })

  it('lists five of each kind and counts the rest', () => {
    const openChanges = Array.from({ length: 13 }, (_, index) => change(index, { state: 'unknown' }))
    const text = shown('operator', { openChanges })
    expect(text).toContain('Add record 4.')
    expect(text).not.toContain('Add record 5.')
    expect(text).toContain('and 8 more: `/cdn changes list`')
  })

  it('says when the store does not answer, and still offers the commands', () => {
    const text = JSON.stringify(homeView({ ...content('viewer'), board: undefined }))
    expect(text).toContain('could not be read')
    expect(buttonsOf(text)).toContain('home:logs')
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
