import type { Entry } from '../../../src/playground/slack/blocks/element-values.ts'
import type { PersonOutcome } from '../../../src/playground/slack/interactions.ts'
import { OLGA, OPS, OTTO, ADA } from '../../../src/playground/slack/state/seed.ts'
import type { ShownMessage, ShownView } from '../../../src/playground/slack/person.ts'
import { APPROVE_VIEW } from '../../../src/slack/form/form-place.ts'
import { changesOf, isAtRest, NAME, type Accepted } from './facts.ts'
import type { BotProcess } from '../../support/bot.ts'
import { eventually } from '../../support/eventually.ts'
import type { KillStage } from './stage.ts'

const PATIENCE_MS = 15_000
/** Titles of what a form says when a click did not count, this one at least, or when nobody knows whether it did. */
const REFUSED = /^(Too |Nothing |Not known|Current state)/

/** Thrown to whoever plays when the bot is gone: the rest of the story is for the next round. */
export class BotGone extends Error {
  override readonly name = 'BotGone'
}

/** People at their clients while one bot lives. Everything they wait for ends with it. */
export class Play {
  readonly stage: KillStage
  readonly name: string
  readonly #gone: Promise<never>

  constructor(stage: KillStage, victim: Pick<BotProcess, 'ended'>, name: string) {
    this.stage = stage
    this.name = name
    this.#gone = victim.ended.then(() => {
      throw new BotGone()
    })
    this.#gone.catch(() => undefined)
  }

  async whileAlive<T>(work: Promise<T>): Promise<T> {
    // What the bot leaves behind when it goes is nobody's concern any more.
    work.catch(() => undefined)
    return Promise.race([work, this.#gone])
  }

  until<T>(look: () => T | undefined | false): Promise<T> {
    return this.whileAlive(this.stage.slack.until(look, PATIENCE_MS))
  }

  command(person: string, text: string): Promise<PersonOutcome> {
    return this.whileAlive(this.stage.slack.person(person).command(OPS, `/cdn ${text}`))
  }

  /** The form on top, once it is the one with this `callback_id`. */
  view(person: string, callbackId: string): Promise<ShownView> {
    return this.until(() => {
      const view = this.stage.slack.person(person).view()
      return view?.callbackId === callbackId && view
    })
  }

  submit(person: string, what: Accepted['what'], entries: Readonly<Record<string, Entry>> = {}): Promise<void> {
    return this.whileAlive(submitNoted(this.stage, person, what, entries))
  }

  /** Presses a button of the message about the change of this name, once it is there and the bot knows where. */
  async click(person: string, actionId: string): Promise<PersonOutcome> {
    const find = async (): Promise<Button | undefined> => {
      const [change] = await changesOf(this.stage.store, this.name)
      return findButton(this.stage, person, actionId, change?.message?.ts)
    }
    const { message, blockId } = await this.soon(find, `a button ${actionId}`)
    return this.whileAlive(this.stage.slack.person(person).click({ message }, blockId, actionId))
  }

  /** Waits until nothing more happens by itself to what was asked under this name, and all of it is shown. */
  async settled(): Promise<void> {
    await this.soon(async () => {
      const changes = await changesOf(this.stage.store, this.name)
      return changes.length > 0 && changes.every((change) => change.wasAskedFor && isAtRest(change))
    }, 'an end')
  }

  /** What the store and the workspace show together, looked at again and again. */
  soon<T>(look: () => Promise<T | undefined | false>, what: string): Promise<T> {
    const looking = eventually(look, PATIENCE_MS).then((found) => {
      if (found === undefined) throw new Error(`${this.name} did not come to ${what}`)
      return found
    })
    return this.whileAlive(looking)
  }
}

/** Presses whatever is still open in front of somebody, as people do who were told to try again; then closes it. */
export async function pressAgain(play: Play): Promise<void> {
  const { stage } = play
  const again = [OLGA, OTTO, ADA].map(async (id) => {
    const person = stage.slack.person(id)
    const view = person.view()
    if (view?.submit !== undefined) {
      await play.whileAlive(submitNoted(stage, id, view.callbackId === APPROVE_VIEW ? 'approved' : 'asked'))
    }
    // An answer that came late must not close what the person has opened since.
    if (person.view()?.id === view?.id) person.reload()
  })
  await Promise.all(again)
}

/** Submits the form on top, and notes when its answer says that it counted, however late that comes. */
async function submitNoted(
  stage: KillStage,
  personId: string,
  what: Accepted['what'],
  entries: Readonly<Record<string, Entry>> = {},
): Promise<void> {
  const person = stage.slack.person(personId)
  const view = person.view()
  const name = NAME.exec(JSON.stringify(view?.blocks ?? []))?.[0]
  const outcome = await person.submit(entries)
  const after = person.view()
  const isRefused = after?.id === view?.id && REFUSED.test(after?.title ?? '')
  if (outcome.ok && !isRefused && name !== undefined) stage.accepted.push({ name, what })
}

interface Button {
  readonly message: ShownMessage
  readonly blockId: string | undefined
}

function findButton(
  { slack }: KillStage,
  person: string,
  actionId: string,
  ts: string | undefined,
): Button | undefined {
  const message = slack
    .person(person)
    .messages(OPS)
    .find((each) => each.ts === ts)
  for (const block of message?.blocks ?? []) {
    const elements = block.type === 'actions' ? block.elements : []
    const isThere = elements.some((element) => element.type === 'button' && element.action_id === actionId)
    if (isThere && message !== undefined) return { message, blockId: block.block_id }
  }
  return undefined
}
