import { vi } from 'vitest'
import { CARD_ACTIONS, type CardAction } from '../../src/execution/messages/change-card.ts'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import { OLGA, OPS } from '../../src/playground/slack/state/seed.ts'
import type { ShownMessage } from '../../src/playground/slack/person.ts'
import type { RecordedEntry } from '../../src/store/schema/audit-entry.ts'
import type { Doing, Scene, Seen } from './scene.ts'
import { forger } from '../support/forger.ts'

/** The steps of all stories about approval. */

/** A write that costs money, so that an operator needs somebody else for it. */
export const PREMIUM = 'library create films --encoding-tier premium'
/** What is seen once it was carried out. */
export const CREATED = /created video library .*films/
/** Long enough for a round of maintenance to have begun. */
const ROUND_MS = 15_000
const MAX_ENTRIES = 500
const ROUNDS = { timeout: 8_000, interval: 50 }

/** Somebody asks for approval, and others have been asked when this resolves with the id of the change. */
export async function asks(scene: Scene, { who = OLGA, command = PREMIUM, channel = OPS } = {}): Promise<string> {
  await scene.types(who, `/cdn ${command}`, {
    channel,
    until: /═══ Review ═══[\s\S]*\[Ask/,
  })
  const until = /═══ Waiting for approval ═══[\s\S]*Others are being asked/
  const { view } = await scene.submits(who, {}, { channel, until })
  await scene.person(who).closeView()
  // Messages about other changes may be edited meanwhile: the view names this one.
  const id = await idIn(scene, view === undefined ? '' : renderView(view))
  const isPosted = () => [OPS, channel].some((place) => cardsOf(scene, id, place).length > 0)
  await scene.stage.slack.until(isPosted).catch(() => undefined)
  return id
}

/** The whole id of the change in what somebody sees, who sees its beginning. */
export async function idIn(scene: Scene, text: string): Promise<string> {
  const shown = /changes (?:show|cancel) ([0-9a-f]{8})\b/.exec(text)?.[1]
  const entries = shown === undefined ? [] : await recordOf(scene)
  const id = entries.find(({ changeId }) => changeId?.startsWith(shown ?? '') === true)?.changeId
  if (id === undefined) throw new Error(`No change is named in:\n${text}`)
  return id
}

/** All messages about a change that everybody sees in a channel. */
export function cardsOf(scene: Scene, id: string, channel = OPS): readonly ShownMessage[] {
  return scene
    .person(OLGA)
    .messages(channel)
    .filter(
      (message) =>
        !message.ephemeral && message.byBot && renderMessage(message).includes(`changes show ${id.slice(0, 8)}`),
    )
}

/** The one message about a change. Throws when there are none or more. */
export function cardOf(scene: Scene, id: string, channel = OPS): ShownMessage {
  const [card, ...others] = cardsOf(scene, id, channel)
  if (card === undefined || others.length > 0) throw new Error(`${id} has ${others.length + (card ? 1 : 0)} messages`)
  return card
}

/** The text of the one message about a change, once it matches. */
export async function cardSays(scene: Scene, id: string, pattern: RegExp): Promise<string> {
  const look = (): string => cardsOf(scene, id).map(renderMessage).join('\n')
  await scene.stage.slack.until(() => pattern.test(look())).catch(() => undefined)
  if (!pattern.test(look())) throw new Error(`${pattern} is not in the message:\n${look()}`)
  return renderMessage(cardOf(scene, id))
}

/** Uses a button of the message about a change; whatever asks back first is accepted. */
export async function clicks(scene: Scene, who: string, id: string, action: CardAction, doing: Doing): Promise<Seen> {
  const message = cardOf(scene, id)
  return scene.does(who, (person) => person.click({ message }, 'change', CARD_ACTIONS[action]), doing)
}

/** Somebody uses a button that has gone from the message since, as a client may that has not caught up. */
export async function clicksLate(
  scene: Scene,
  who: string,
  id: string,
  action: CardAction,
  until: RegExp,
): Promise<void> {
  const { channel, ts } = cardOf(scene, id)
  const watch = scene.watch(who)
  const click = () => forger(scene.stage.slack, who).click({ channel, ts, actionId: CARD_ACTIONS[action], value: id })
  // Where hours pass at once a link is renewed, and a click over it may be lost: Slack says so, and people click again.
  if ((await click()).kind === 'timeout') await click()
  const said = (): boolean => until.test(watch().text)
  await scene.stage.slack.until(said).catch(() => {
    throw new Error(`${until} was not said, but:\n${watch().text}`)
  })
}

/** Somebody reads what it is about and approves it. */
export async function approves(scene: Scene, who: string, id: string, until: RegExp): Promise<Seen> {
  await clicks(scene, who, id, 'approve', { until: /═══ Approve\? ═══/ })
  const seen = await scene.submits(who, {}, { until })
  await scene.person(who).closeView()
  return seen
}

/** What somebody has been told in their direct messages, once it matches. */
export async function isTold(scene: Scene, who: string, pattern: RegExp): Promise<string> {
  const person = scene.person(who)
  const look = (): string => person.messages(person.direct()).map(renderMessage).join('\n')
  await scene.stage.slack.until(() => pattern.test(look())).catch(() => undefined)
  if (!pattern.test(look())) throw new Error(`${pattern} is not in what ${who} was told:\n${look()}`)
  return look()
}

/** Lets the next round of maintenance begin. */
export function nextRound(scene: Scene): void {
  scene.clock.turn(ROUND_MS)
}

/** Lets rounds of maintenance go by until there is what is looked for. */
export async function inRounds<T>(scene: Scene, look: () => Promise<T> | T, wanted: (found: T) => boolean): Promise<T> {
  return vi.waitFor(async () => {
    const found = await look()
    if (wanted(found)) return found
    nextRound(scene)
    throw new Error(`After another round it is still ${JSON.stringify(found)}`)
  }, ROUNDS)
}

/** Says who is in a user group from now on; the bot has heard of it when this resolves. */
export async function groupHas(scene: Scene, group: string, users: readonly string[]): Promise<void> {
  const { slack } = scene.stage
  const before = slack.deliveries.length
  slack.workspace.changeGroup(group, { users })
  await slack.until(() => {
    const told = slack.deliveries.slice(before).filter(({ type }) => type === 'events_api')
    return told.length > 0 && told.every(({ outcome }) => outcome === 'acked')
  })
}

/** The record, oldest first. */
export async function recordOf(scene: Scene): Promise<readonly RecordedEntry[]> {
  return (await scene.bot.bot.record.list({ limit: MAX_ENTRIES })).toReversed()
}

/** What somebody did, oldest first. What the bot notes of itself lies between without it. */
export async function entriesBy(who: string, scene: Scene): Promise<readonly RecordedEntry[]> {
  return (await recordOf(scene)).filter(({ actor }) => actor === who)
}

/** What happened to a change, in order, as the record has it. */
export async function eventsOf(scene: Scene, id: string): Promise<readonly string[]> {
  return (await recordOf(scene)).filter(({ changeId }) => changeId === id).map(({ event }) => event)
}

/** The id of the change that the record spoke of last. */
export async function newestChange(scene: Scene): Promise<string> {
  const id = (await recordOf(scene)).findLast(({ changeId }) => changeId !== undefined)?.changeId
  if (id === undefined) throw new Error('There is no change yet')
  return id
}
