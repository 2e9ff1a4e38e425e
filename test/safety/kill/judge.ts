import { isFinal } from '../../../src/store/schema/change.ts'
import type { Accepted, ChangeFact, Facts } from './facts.ts'

/** Everything that is wrong with how a run ended, as `what must never be: about what`. Empty is what a run is for. */
export function judge(facts: Facts): readonly string[] {
  return [
    ...sentOnce(facts),
    ...onRecordBefore(facts),
    ...facts.accepted.flatMap((accepted) => kept(accepted, facts)),
    ...facts.changes.flatMap((change) => [
      ...settled(change, facts),
      ...truthful(change, facts),
      ...shown(change, facts),
    ]),
    ...(duplicateCards(facts) > facts.kills
      ? [`shown again and again: ${duplicateCards(facts)} messages more than changes`]
      : []),
    ...noted(facts),
    ...digested(facts),
    ...(facts.undelivered > 0 ? [`not told: ${facts.undelivered} messages`] : []),
    ...(facts.chain.ok ? [] : [`chain broken: at entry ${facts.chain.firstBad}`]),
    ...facts.ownEnds.map((end) => `ended or hung by itself: ${end}`),
  ]
}

/**
 * Messages about changes beyond the first of each where that stands. A kill between posting one and noting where it stands
 * explains one more, nothing else does.
 */
export function duplicateCards({ changes, messages }: Facts): number {
  const asked = changes.filter(({ wasAskedFor }) => wasAskedFor)
  const cards = asked.map(
    ({ id, message }) =>
      messages.filter(({ channel, text }) => channel === message?.channel && text.includes(id)).length,
  )
  return cards.reduce((sum, count) => sum + Math.max(0, count - 1), 0)
}

function sentOnce({ changes, audit, requests, created }: Facts): readonly string[] {
  const allowed = (name: string): number =>
    changes.filter((change) => change.name === name && hasEvent(audit, change.id, 'sending')).length
  const names = new Set([...requests.map(({ name }) => name), ...created])
  return [...names].flatMap((name) => [
    ...(requests.filter((request) => request.name === name).length > Math.max(1, allowed(name))
      ? [`sent twice: ${name}`]
      : []),
    ...(created.filter((each) => each === name).length > Math.max(1, allowed(name)) ? [`created twice: ${name}`] : []),
  ])
}

/** Each request finds as many entries that it is about to be sent, written no later than it arrived. */
function onRecordBefore({ changes, audit, requests }: Facts): readonly string[] {
  return requests.flatMap(({ name, atMs }, index) => {
    const earlier = requests.slice(0, index).filter((other) => other.name === name).length
    const ids = new Set(changes.filter((change) => change.name === name).map(({ id }) => id))
    const entries = audit.filter(
      (entry) => entry.event === 'sending' && ids.has(entry.changeId) && entry.atMs <= atMs,
    ).length
    return entries > earlier ? [] : [`sent without record: ${name}`]
  })
}

/** What a person was told had been taken in is there, and has gone on. */
function kept({ name, what }: Accepted, { changes, audit }: Facts): readonly string[] {
  const events = what === 'asked' ? ['requested', 'break_glass'] : ['approval']
  const change = changes.find((each) => each.name === name && events.some((event) => hasEvent(audit, each.id, event)))
  return change === undefined ? [`lost: ${name}: ${what}`] : []
}

/** Here one approval is all that a change waits for. */
function settled({ id, name, state, wasAskedFor }: ChangeFact, { audit }: Facts): readonly string[] {
  const waits = state === 'waiting' && !hasEvent(audit, id, 'approval')
  const isSettled = isFinal(state) || state === 'unknown' || waits || (state === 'draft' && !wasAskedFor)
  return isSettled ? [] : [`unsettled: ${name} ${id} is ${state}`]
}

function truthful({ name, state }: ChangeFact, { created }: Facts): readonly string[] {
  const exists = created.includes(name)
  if (state === 'done' && !exists) return [`said done, was not: ${name}`]
  const denies = isFinal(state) && state !== 'done'
  return denies && exists ? [`said not done, was: ${name} is ${state}`] : []
}

function shown({ id, name, state, wasAskedFor, isShown, message }: ChangeFact, facts: Facts): readonly string[] {
  if (!wasAskedFor) return []
  const stands = facts.messages.some(({ channel, ts }) => channel === message?.channel && ts === message.ts)
  return isShown && stands ? [] : [`not shown: ${name} ${id} is ${state}`]
}

/** A note is kept once, and said in its thread: once more at the most where a kill came between saying and noting that. */
function noted({ notes, messages, kills }: Facts): readonly string[] {
  const names = new Set(notes)
  const told = [...names].map((name) => messages.filter(({ text }) => text.includes(name)).length)
  const again = told.reduce((sum, count) => sum + Math.max(0, count - 1), 0)
  return [
    ...(notes.length > names.size ? [`noted twice: ${notes.join(', ')}`] : []),
    ...(told.includes(0) ? ['not told: a note'] : []),
    ...(again > kills ? [`shown again and again: ${again} messages more than notes`] : []),
  ]
}

const DIGEST = /No more digests|Nothing happened here/

/** The same of digests. */
function digested({ digestsDue, messages, kills }: Facts): readonly string[] {
  const told = messages.filter(({ text }) => DIGEST.test(text)).length
  if (told < digestsDue) return [`not told: ${digestsDue - told} digests`]
  const again = told - digestsDue
  return again > kills ? [`shown again and again: ${again} messages more than digests`] : []
}

function hasEvent(audit: Facts['audit'], changeId: string, event: string): boolean {
  return audit.some((entry) => entry.changeId === changeId && entry.event === event)
}
