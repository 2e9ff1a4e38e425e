import { describe, expect, it } from 'vitest'
import { whyOutOfReach } from '../../../src/execution/policy/approvers.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { quorumsWords } from '../../../src/operations/declaration/prompt-words.ts'
import type { Channels } from '../../../src/operations/declaration/operation.ts'
import type { Actor, Decision, Quorum } from '../../../src/operations/declaration/role.ts'
import { openChannels } from '../../support/alert-desk.ts'
import { actor, BILLED, useBench } from '../../support/execution-bench.ts'

const bench = useBench()

const olga = actor('operator')
const ADMINS: Quorum = { count: 2, roles: ['admin'], groups: [] }
const LAWYERS: Quorum = { count: 1, roles: [], groups: ['SLAW'] }
const lawyer = { ...actor('none', 'ULAW'), groups: ['SLAW'] }

const short = (quorum: Quorum) =>
  new RegExp(`^It takes others, but besides you .*who could give it.*: .*${quorumsWords([quorum])}\\.$`)

const OPEN = { id: 'COPS', name: 'ops', isMember: true, isArchived: false, isShared: false, isPrivate: false }

const outOfReach = (decision: Decision, requester: Actor, opsChannel: string | undefined) =>
  whyOutOfReach({ people: bench.people, channels: openChannels, opsChannel }, decision, requester)

const why = (quorums: readonly Quorum[], requester = olga, opsChannel: string | undefined = 'COPS') => {
  const decision: Decision = { kind: 'approve', reason: 'It takes others.', quorums }
  return outOfReach(decision, requester, opsChannel).then((found) => found?.why)
}

describe('an approval is within reach', () => {
  it('where as many people besides the one who asks may give it', async () => {
    expect(await why([ADMINS])).toBeUndefined()
    expect(await why([{ ...ADMINS, count: 3 }])).toMatch(short({ ...ADMINS, count: 3 }))
  })

  it('not by the one who asks, even if their word would count', async () => {
    expect(await why([ADMINS], actor('admin'))).toMatch(short(ADMINS))
  })

  it('only where each of several quorums is', async () => {
    expect(await why([ADMINS, LAWYERS])).toMatch(short(LAWYERS))
    bench.people.list(lawyer)
    expect(await why([ADMINS, LAWYERS])).toBeUndefined()
  })

  it('only where there are enough for all of them together, as each counts for one', async () => {
    const admin: Quorum = { ...ADMINS, count: 1 }
    const anybody: Quorum = { count: 4, roles: ['operator', 'admin'], groups: [] }
    bench.people.list(actor('viewer', 'UADA'))
    expect(await why([admin])).toBeUndefined()
    expect(await why([anybody])).toBeUndefined()
    expect(await why([anybody, admin])).toMatch(/: it takes 4 operators or admins, and one admin\.$/)
    bench.people.list(actor('operator', 'UMORE'))
    expect(await why([anybody, admin])).toBeUndefined()
  })

  it('counts those who may now, not those who are listed', async () => {
    bench.people.list({ ...lawyer, writesBarred: 'Slack is silent.' })
    expect(await why([LAWYERS])).toMatch(short(LAWYERS))
    bench.people.candidates = async () => ['UGONE', 'ULEFT']
    expect(await why([{ ...ADMINS, count: 1 }])).toMatch(/besides you/)
  })

  it('asks Slack about forty people at most', async () => {
    let asked = 0
    bench.people.candidates = async () => Array.from({ length: 200 }, (_, index) => `U${index}`)
    bench.people.actor = async (id) => {
      asked += 1
      return actor('viewer', id)
    }
    expect(await why([ADMINS])).toMatch(short(ADMINS))
    expect(asked).toBe(40)
  })

  it('not while there is no channel to ask in', async () => {
    const decision: Decision = { kind: 'approve', reason: 'It takes others.', quorums: [ADMINS] }
    expect(await outOfReach(decision, olga, undefined)).toMatchObject({
      why: 'It takes others, but no channel is configured in which it could be asked for: OPS_CHANNEL.',
    })
  })

  it.each<[string, Awaited<ReturnType<Channels['info']>>, string, string]>([
    ['CDN Ops is not in', { ...OPEN, isMember: false }, 'CDN Ops is not in OPS_CHANNEL', '/invite'],
    ['that is archived', { ...OPEN, isArchived: true }, 'OPS_CHANNEL, where approvals are', 'Unarchive it'],
    ['that Slack does not show', 'absent', 'Slack shows CDN Ops no such channel', 'correct OPS_CHANNEL'],
  ])('not in a channel %s, as it is right now', async (_, info, happened, next) => {
    const decision: Decision = { kind: 'approve', reason: 'It takes others.', quorums: [ADMINS] }
    const asked: unknown[] = []
    const channels: Channels = {
      info: async (id, how) => {
        asked.push([id, how])
        return info
      },
    }
    const found = await whyOutOfReach({ people: bench.people, channels, opsChannel: 'COPS' }, decision, olga)
    expect(found?.why).toContain(`It takes others, but ${happened}`)
    expect(found?.next).toContain(next)
    expect(asked).toEqual([['COPS', { fresh: true }]])
  })

  it('where Slack does not say what the channel is: it may well take the message', async () => {
    const decision: Decision = { kind: 'approve', reason: 'It takes others.', quorums: [ADMINS] }
    const channels: Channels = { info: async () => 'unknown' }
    expect(await whyOutOfReach({ people: bench.people, channels, opsChannel: 'COPS' }, decision, olga)).toBeUndefined()
  })

  it('is not known while Slack is silent about user groups: nothing is recorded, and the draft stays', async () => {
    const silent = { ...olga, unsure: 'Slack has not said who is in its user groups: it does not answer' }
    expect(await why([ADMINS], silent)).toBeUndefined()
    const words = /^Slack has not said who is in its user groups: it does not answer\. .*Nothing was done\.$/
    await expect(why([LAWYERS], silent)).rejects.toMatchObject({ message: expect.stringMatching(words) })
    bench.rules.policy = { ...DEFAULT_POLICY, quorum: LAWYERS }
    const draft = await bench.changes.begin(bench.operation('record add'), {}, silent, 'C1')
    await expect(bench.changes.review(draft, BILLED, silent)).rejects.toThrow(words)
    expect((await bench.store.changes.get(draft.id))?.state).toBe('draft')
    expect(await bench.record()).toEqual([])
  })

  it('is not known while Slack does not answer', async () => {
    bench.people.unreachable = true
    await expect(why([ADMINS])).rejects.toMatchObject({ code: 'not_permitted' })
  })
})
