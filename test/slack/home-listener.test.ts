import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onHomeOpened } from '../../src/slack/home-listener.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { createSlackBench, type SlackBench } from '../support/slack-bench.ts'

let bench: SlackBench
beforeEach(async () => {
  bench = await createSlackBench()
})
afterEach(() => bench.close())

/** A change of Olga's that waits for somebody else. */
async function waiting(): Promise<string> {
  const olga = actor('operator', 'UOLGA')
  const { change } = await reviewed(bench, { ...RECORD, billed: 'on' }, olga)
  await bench.desk.submit(change.id, olga)
  return change.id
}

async function home(user: string): Promise<string> {
  await onHomeOpened(user, bench.reception)
  return JSON.stringify(bench.calls.findLast(({ method }) => method === 'views.publish')?.args['view'])
}
const ASKED = 'Waiting for your approval'

describe('Home', () => {
  it('asks those for their approval whose word counts, and lists for all who may read that it waits', async () => {
    const id = await waiting()
    expect(await home('UOTTO')).toContain(ASKED)
    expect(await home('UADA')).toContain(ASKED)
    for (const user of ['UOLGA', 'UVERA']) {
      expect(await home(user)).not.toContain(ASKED)
      expect(await home(user)).toContain(id)
    }
    expect(await home('UNOBODY')).toContain('You have no role here')
    expect(await home('UNOBODY')).not.toMatch(/Open changes|192\.0\.2\.10|waiting for approval/)
  })

  it('asks nobody twice', async () => {
    bench.rules.policy = { ...bench.rules.policy, quorum: { count: 2, roles: ['operator', 'admin'], groups: [] } }
    await bench.approvals.approve(await waiting(), actor('operator', 'UOTTO'))
    expect(await home('UOTTO')).not.toContain(ASKED)
    expect(await home('UADA')).toContain(ASKED)
  })

  it('asks nobody, and shows the rest, while it cannot be found out who asked', async () => {
    const id = await waiting()
    bench.people.unreachable = true
    expect(await home('UOTTO')).not.toContain(ASKED)
    expect(await home('UOTTO')).toContain(id)
    expect(bench.log.map(({ sentence }) => sentence)).toContain('what waits for somebody could not be found out')
  })

  it('is drawn while the store fails, and says so', async () => {
    await bench.store.close()
    expect(await home('UOTTO')).toContain('They could not be read: the store does not answer.')
  })
})
