import { describe, expect, it } from 'vitest'
import type { ModalView } from '../../../src/block-kit/view.ts'
import { writePlace } from '../../../src/slack/form/form-place.ts'
import { onHomeOpened } from '../../../src/slack/listeners/home-listener.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { deliver } from '../../support/recording-app.ts'
import { newTrigger, submission, useSlackBench } from '../../support/slack-bench.ts'

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
