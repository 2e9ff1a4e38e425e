import { describe, expect, it } from 'vitest'
import { ChangeAnnouncer, findApprovalFacts } from '../../../src/execution/changes/change-announcer.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { NotDelivered } from '../../../src/delivery/notifier.ts'
import type { People } from '../../../src/execution/policy/people.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { actor, useBench } from '../../support/execution-bench.ts'

const bench = useBench()

const [olga, other] = [actor('operator'), actor('operator', 'UOTHER')]
const places = () => bench.board.posted.map(({ channel }) => channel)
const headlines = (index = 0) => bench.board.posted[index]!.texts.map((text) => text.split(/[.:(\n]/)[0]?.trim())
const shown = async (id: string) => {
  const { revision, shownRevision } = (await bench.store.changes.get(id))!
  return shownRevision === revision
}

describe('the message about a change', () => {
  it('is one over its whole life, in the channel where others approve', async () => {
    bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', { kind: 'rejected', status: 500 }))
    const { id } = await bench.waiting()
    const place = await bench.announcer.announce(id)
    const saysCosts = () => JSON.stringify(bench.board.posted[0]!.message.blocks).includes('may be billed')
    expect(saysCosts()).toBe(true)
    const { change } = await bench.approvals.approve(id, other)
    await bench.announcer.announce(id)
    expect(saysCosts()).toBe(false)
    expect(await (await bench.sender.send(change)).announced).toEqual(place)
    await bench.approvals.settle(id, other, true)
    expect(await bench.announcer.announce(id)).toEqual(place)
    expect(places()).toEqual(['COPS'])
    const [first, second, ...rest] = headlines()
    expect([first, second]).toEqual(['Waiting for approval', 'Going to be sent'])
    // A call that ends at once leaves no time to say that it is under way.
    expect(rest.filter((headline) => headline !== 'Being sent')).toEqual(['Unknown', 'Done'])
    expect(await shown(id)).toBe(true)
  })

  it('is about what was asked for: a draft has none, nor has what is not known', async () => {
    const draft = await bench.changes.begin(bench.operation('record add'), {}, olga, 'C1')
    expect(await bench.announcer.announce(draft.id)).toBeUndefined()
    await bench.changes.close(draft.id, olga.id)
    expect(await bench.announcer.announce(draft.id)).toBeUndefined()
    expect(await bench.announcer.announce('f'.repeat(32))).toBeUndefined()
    await bench.announcer.announceAll()
    expect(places()).toEqual([])
  })
})

describe('when Slack does not take it', () => {
  it('is posted anew where somebody deleted it, and stays one from then on', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    bench.board.clear('COPS')
    await bench.approvals.decline(id, other, 'no')
    await bench.announcer.announce(id)
    expect(places()).toEqual(['deleted', 'C1'])
    expect(bench.board.in('C1')).toEqual([expect.stringMatching(/^Declined: nothing was sent\b/)])
  })

  it('goes to the operations channel where it was asked is archived', async () => {
    bench.board.refusing.set('C1', 'for good')
    const { id } = await bench.confirmed()
    expect(await bench.announcer.announce(id)).toMatchObject({ channel: 'COPS' })
  })

  it('goes to who asked when no channel takes it', async () => {
    for (const channel of ['C1', 'COPS']) bench.board.refusing.set(channel, 'for good')
    const { id } = await bench.confirmed()
    expect(await bench.announcer.announce(id)).toMatchObject({ channel: olga.id })
  })

  it('is given up aloud where nobody takes it, once the change has ended and waits for nobody', async () => {
    let tries = 0
    bench.board.before = () => (tries += 1)
    for (const channel of ['C1', 'COPS', olga.id]) bench.board.refusing.set(channel, 'for good')
    const { id } = await bench.confirmed()
    for (let round = 0; round < 2; round += 1) await bench.announcer.announceAll()
    expect(tries).toBe(6)
    await bench.changes.takeBack(id, olga.id, 'no')
    for (let round = 0; round < 2; round += 1) await bench.announcer.announceAll()
    expect(tries).toBe(9)
    expect(bench.log.filter(({ level }) => level === 'error')).toMatchObject([{ fields: { change: id } }])
  })

  it('moves on when its channel is archived between two edits', async () => {
    const { id } = await bench.confirmed()
    await bench.announcer.announce(id)
    bench.board.refusing.set('C1', 'for good')
    await bench.changes.takeBack(id, olga.id, 'no')
    expect(await bench.announcer.announce(id)).toMatchObject({ channel: 'COPS' })
  })

  it('is edited later where Slack takes no edit for a while, and not posted a second time', async () => {
    const { id } = await bench.confirmed()
    const place = await bench.announcer.announce(id)
    bench.board.before = (what) => {
      if (what === 'edit') throw new NotDelivered('ratelimited', false)
    }
    await bench.changes.takeBack(id, olga.id, 'no')
    expect(await bench.announcer.announce(id)).toBeUndefined()
    bench.board.before = () => undefined
    expect(await bench.announcer.announce(id)).toEqual(place)
    expect(places()).toEqual(['C1'])
    expect(headlines().at(-1)).toBe('Cancelled')
  })

  it('is out of date for what Slack says, though what was claimed for it cannot be given back', async () => {
    bench.board.refusing.set('COPS', 'for a while')
    const { id } = await bench.waiting()
    bench.store.changes.claimMessage = async () => () => Promise.reject(new StoreError('locked'))
    expect(await bench.announcer.announce(id)).toBeUndefined()
    expect(bench.log.at(-1)?.fields).toMatchObject({ change: id, reason: 'ratelimited' })
  })

  it('waits out a limit, logs that it is out of date, and is brought up to date later', async () => {
    bench.board.refusing.set('COPS', 'for a while')
    const { id } = await bench.waiting()
    expect(await bench.announcer.announce(id)).toBeUndefined()
    expect(places()).toEqual([])
    expect(bench.log.at(-1)).toMatchObject({ level: 'warn', fields: { change: id, reason: 'ratelimited' } })
    bench.board.refusing.clear()
    await bench.announcer.announceAll()
    expect(places()).toEqual(['COPS'])
    expect(await shown(id)).toBe(true)
  })

  it.each([
    [30_000, 30_000],
    [600_000, 60_000],
  ])('tries nothing more while Slack asks to wait %d ms, a minute at most, and then all', async (asked, waited) => {
    const changes = [await bench.waiting(), await bench.waiting(), await bench.waiting()]
    let tries = 0
    bench.board.before = () => {
      tries += 1
      throw new NotDelivered('ratelimited', false, asked)
    }
    await bench.announcer.announceAll()
    await bench.announcer.announceAll()
    await bench.announcer.lookAgain(changes)
    bench.clock.turn(waited - 1)
    expect(tries).toBe(1)
    await bench.announcer.announceAll()
    expect(tries).toBe(1)
    bench.board.before = () => undefined
    bench.clock.turn(1)
    await bench.announcer.announceAll()
    expect(places()).toEqual(['COPS', 'COPS', 'COPS'])
    for (const { id } of changes) expect(await shown(id)).toBe(true)
  })

  it('keeps no other message from being brought up to date', async () => {
    bench.board.refusing.set('C1', 'for a while')
    await bench.confirmed()
    const { id } = await bench.waiting()
    await bench.announcer.announceAll()
    expect(places()).toEqual(['COPS'])
    expect(await shown(id)).toBe(true)
  })
})

describe('two at once', () => {
  it('post one message', async () => {
    const { id } = await bench.waiting()
    const all = await Promise.all([1, 2, 3, 4].map(() => bench.announcer.announce(id)))
    expect(new Set(all.map((place) => place?.ts))).toEqual(new Set(['1.0']))
    expect(bench.board.posted).toHaveLength(1)
  })

  it('end with what is true: a change that moved meanwhile is edited in the same turn', async () => {
    const { id } = await bench.waiting()
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bench.board.before = (what) => {
      reached.resolve()
      return what === 'post' ? goOn.promise : undefined
    }
    const announced = bench.announcer.announce(id)
    await reached.promise
    const cancelled = await bench.approvals.cancel(id, olga)
    expect(cancelled.kind).toBe('taken')
    goOn.resolve()
    await announced
    expect(headlines().slice(0, 2)).toEqual(['Waiting for approval', 'Cancelled'])
    expect(await shown(id)).toBe(true)
  })
})

describe('a message that another process shows', () => {
  it('has no place that is known where the store does not answer, which is logged', async () => {
    const { id } = await bench.confirmed()
    const { changes } = bench.store
    changes.claimMessage = async () => {
      changes.get = () => Promise.reject(new StoreError('unreachable'))
      return undefined
    }
    expect(await bench.announcer.announce(id, 1_000)).toBeUndefined()
    expect(bench.log.at(-1)?.sentence).toMatch(/^where another process posts the message .* was not found out$/)
  })

  it('is shown six times in a turn where each is overtaken, and is left to the next round then', async () => {
    const { id } = await bench.confirmed()
    bench.store.changes.shown = async () => false
    let shows = 0
    bench.board.before = () => void (shows += 1)
    expect(await bench.announcer.announce(id)).toMatchObject({ channel: 'C1' })
    expect(shows).toBe(6)
  })
})

describe('a process that was paused while it edited', () => {
  it('puts what another has shown meanwhile over what it shows itself', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bench.board.before = (what) => {
      if (what !== 'edit') return undefined
      reached.resolve()
      return goOn.promise
    }
    const restarted = new ChangeAnnouncer(bench.services)
    const paused = restarted.lookAgain([(await bench.store.changes.get(id))!])
    await reached.promise
    bench.board.before = () => undefined
    await bench.approvals.cancel(id, olga)
    await bench.announcer.announce(id)
    expect(headlines().at(-1)).toBe('Cancelled')
    goOn.resolve()
    await paused
    expect(headlines().slice(-2)).toEqual(['Waiting for approval', 'Cancelled'])
    expect(await shown(id)).toBe(true)
  })
})

describe('a process that Slack lets wait for who may approve', () => {
  it('shows nothing of a change that has moved on meanwhile as it was before', async () => {
    const { id } = await bench.waiting()
    await bench.announcer.announce(id)
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { people, services } = bench
    const slow: People = {
      async actor(userId) {
        reached.resolve()
        await goOn.promise
        return people.actor(userId)
      },
      candidates: (quorum) => people.candidates(quorum),
      groupsWith: (role) => people.groupsWith(role),
      named: (name) => people.named(name),
      admins: () => people.admins(),
    }
    const waiting = new ChangeAnnouncer({ ...services, people: slow }).lookAgain([(await bench.store.changes.get(id))!])
    await reached.promise
    await bench.approvals.cancel(id, olga)
    await bench.announcer.announce(id)
    goOn.resolve()
    await waiting
    expect(headlines().slice(-2)).toEqual(['Waiting for approval', 'Cancelled'])
    expect(headlines()).toHaveLength(2)
  })
})

describe('a crash between posting and noting', () => {
  it('repeats the message once, and the later one is kept true', async () => {
    const { id } = await bench.waiting()
    const { changes } = bench.store
    const note = changes.shown.bind(changes)
    changes.shown = () => Promise.reject(new Error('the process ends here'))
    await bench.announcer.announce(id)
    changes.shown = note
    const afterwards = new ChangeAnnouncer(bench.services)
    await afterwards.announceAll()
    await afterwards.announceAll()
    expect(places()).toEqual(['COPS', 'COPS'])
    await bench.changes.takeBack(id, olga.id, 'no')
    await afterwards.announceAll()
    expect(headlines(1)).toEqual(['Waiting for approval', 'Cancelled'])
    expect(await shown(id)).toBe(true)
  })
})

describe('who is asked by name', () => {
  const asked = () =>
    bench.board.posted[0]!.message.blocks.flatMap(
      (block) => JSON.stringify(block).match(/<@\w+>|<!subteam\^\w+>/g) ?? [],
    )

  it('is at most two people who may approve now, and never who asked', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `UP${index + 1}`)
    bench.people.list(...ids.map((id) => actor('operator', id)), actor('viewer', 'UP3'))
    bench.people.candidates = async () => ids
    await bench.announcer.announce((await bench.waiting(actor('operator', 'UP1'))).id)
    const named = asked().filter((mention) => mention !== '<@UP1>')
    expect(named).toEqual(['<@UP2>', '<@UP4>'])
  })

  it('is one of the first ten that lists and user groups name besides who asked', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `UP${index + 1}`)
    const areOperators = new Set(['UP1', 'UP11', 'UP12'])
    bench.people.list(...ids.map((id) => actor(areOperators.has(id) ? 'operator' : 'viewer', id)))
    bench.people.candidates = async () => ids
    const found = async () => (await findApprovalFacts(bench.services, await bench.waiting())).asked.people
    expect(await found()).toEqual(['UP1'])
    bench.people.list(actor('viewer', 'UP1'), actor('operator', 'UP10'))
    expect(await found()).toEqual(['UP10'])
  })

  it('is the user group that gives people who may approve their role, and nobody by name', async () => {
    bench.people.list(actor('operator', 'UP1'), actor('operator', 'UP2'), {
      ...actor('operator', 'UP3'),
      roleGroup: 'SOPS',
      groups: ['SOPS'],
    })
    await bench.announcer.announce((await bench.waiting(actor('operator', 'UP1'))).id)
    expect(asked().filter((mention) => mention !== '<@UP1>')).toEqual(['<!subteam^SOPS>'])
  })

  it('is no user group in which only they are who asked', async () => {
    const olga = { ...actor('operator', 'UP1'), roleGroup: 'SOPS', groups: ['SOPS'] }
    bench.people.list(olga)
    await bench.announcer.announce((await bench.waiting(olga)).id)
    expect(asked()).not.toContain('<!subteam^SOPS>')
  })

  it('is the group instead of its members', async () => {
    bench.people.list({ ...actor('viewer', 'ULAW'), groups: ['SLAW'] })
    const quorum = { count: 1, roles: [], groups: ['SLAW'] }
    bench.rules.policy = { ...DEFAULT_POLICY, version: 'law', quorum }
    await bench.announcer.announce((await bench.waiting()).id)
    expect(asked()).toContain('<!subteam^SLAW>')
    expect(asked()).not.toContain('<@ULAW>')
  })

  it('is nobody where the rules have changed since it was asked for', async () => {
    const change = await bench.waiting()
    bench.rules.policy = { ...DEFAULT_POLICY, version: 'another' }
    const facts = await findApprovalFacts(bench.services, change)
    expect(facts).toMatchObject({ invocation: undefined, quorums: [], asked: { groups: [], people: [] } })
    expect(bench.log).toEqual([])
  })

  it('is nobody while Slack cannot say who may; the message is posted all the same', async () => {
    const { id } = await bench.waiting()
    bench.people.unreachable = true
    await bench.announcer.announce(id)
    expect(new Set(asked())).toEqual(new Set(['<@UOPERATOR>']))
    expect(bench.log.at(-1)?.sentence).toBe('who may approve could not be found out')
  })
})
