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

const short = (...quorums: readonly Quorum[]) =>
  `It takes others, but besides you there are not enough people who could give it: it takes ${quorumsWords(quorums)}.`
const NEXT = 'Whoever runs CDN Ops can change who may approve, and where.'

const OPEN = { id: 'COPS', name: 'ops', isMember: true, isArchived: false, isShared: false }

const outOfReach = (decision: Decision, requester: Actor, opsChannel: string | undefined) =>
  whyOutOfReach({ people: bench.people, channels: openChannels, opsChannel }, decision, requester)

const TAKES = { kind: 'approve', reason: 'It takes others.' } as const
const why = async (quorums: readonly Quorum[], requester = olga) =>
  (await outOfReach({ ...TAKES, quorums }, requester, 'COPS'))?.why

describe('an approval is within reach', () => {
  it('where as many people besides the one who asks may give it', async () => {
    expect(await why([ADMINS])).toBeUndefined()
    expect(await why([{ ...ADMINS, count: 3 }])).toBe(short({ ...ADMINS, count: 3 }))
  })

  it('not by the one who asks, even if their word would count', async () => {
    expect(await why([ADMINS], actor('admin'))).toBe(short(ADMINS))
  })

  it('only where each of several quorums is', async () => {
    expect(await why([ADMINS, LAWYERS])).toBe(short(LAWYERS))
    bench.people.list(lawyer)
    expect(await why([ADMINS, LAWYERS])).toBeUndefined()
  })

  it('only where there are enough for all of them together, as each counts for one', async () => {
    const admin: Quorum = { ...ADMINS, count: 1 }
    const anybody: Quorum = { count: 4, roles: ['operator', 'admin'], groups: [] }
    bench.people.list(actor('viewer', 'UADA'))
    expect(await why([admin])).toBeUndefined()
    expect(await why([anybody])).toBeUndefined()
    expect(await why([anybody, admin])).toBe(short(anybody, admin))
    bench.people.list(actor('operator', 'UMORE'))
    expect(await why([anybody, admin])).toBeUndefined()
  })

  it('counts those who may now, not those who are listed', async () => {
    bench.people.list({ ...lawyer, writesBarred: 'Slack is silent.' })
    expect(await why([LAWYERS])).toBe(short(LAWYERS))
    bench.people.candidates = async () => ['UGONE', 'ULEFT']
    expect(await why([{ ...ADMINS, count: 1 }])).toBe(short({ ...ADMINS, count: 1 }))
  })

  it('asks Slack about forty people at most', async () => {
    let asked = 0
    bench.people.candidates = async () => Array.from({ length: 200 }, (_, index) => `U${index}`)
    bench.people.actor = async (id) => {
      asked += 1
      return actor('viewer', id)
    }
    expect(await why([ADMINS])).toBe(short(ADMINS))
    expect(asked).toBe(40)
  })

  it('not while there is no channel to ask in', async () => {
    expect(await outOfReach({ ...TAKES, quorums: [ADMINS] }, olga, undefined)).toEqual({
      why: 'It takes others, but no channel is configured in which it could be asked for: OPS_CHANNEL.',
      next: NEXT,
    })
    expect((await outOfReach({ ...TAKES, quorums: [LAWYERS] }, olga, 'COPS'))?.next).toBe(NEXT)
  })

  const UNARCHIVE = 'Unarchive it, or name another one in OPS_CHANNEL.'
  it.each<[Awaited<ReturnType<Channels['info']>>, string?, string?]>([
    [
      { ...OPEN, isMember: false },
      'CDN Ops is not in OPS_CHANNEL, where approvals are asked for',
      'Invite CDN Ops there with /invite.',
    ],
    [{ ...OPEN, isArchived: true }, 'OPS_CHANNEL, where approvals are asked for, is archived', UNARCHIVE],
    [
      { ...OPEN, isArchived: true, isMember: false },
      'OPS_CHANNEL, where approvals are asked for, is archived',
      UNARCHIVE,
    ],
    [
      'absent',
      'Slack shows CDN Ops no such channel as OPS_CHANNEL names, where approvals are asked for',
      'Invite CDN Ops there with /invite if it is private; else correct OPS_CHANNEL.',
    ],
    // It may well take the message.
    ['unknown'],
    [OPEN],
  ])('not where the channel takes none, as it is right now: %j', async (info, happened, next) => {
    const asked: unknown[] = []
    const channels: Channels = {
      info: async (id) => {
        asked.push(id)
        return info
      },
    }
    const parts = { people: bench.people, channels, opsChannel: 'COPS' }
    const expected = happened === undefined ? undefined : { why: `It takes others, but ${happened}.`, next }
    expect(await whyOutOfReach(parts, { ...TAKES, quorums: [ADMINS] }, olga)).toEqual(expected)
    expect(asked).toEqual(['COPS'])
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
