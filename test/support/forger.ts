import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import type { DeliveryType, Outcome } from '../../src/playground/slack/wire/deliveries.ts'
import type { FormValues } from '../../src/playground/slack/blocks/element-values.ts'
import type { StoredMessage } from '../../src/playground/slack/state/messages.ts'
import type { Parts } from '../../src/playground/slack/wire/parts.ts'
import { actionPayload, submissionPayload } from '../../src/playground/slack/wire/payloads.ts'
import { BOT_USER_ID, type Channel } from '../../src/playground/slack/state/seed.ts'
import { SlackError } from '../../src/playground/slack/state/slack-error.ts'
import type { StoredView } from '../../src/playground/slack/state/views.ts'

type Payload = Readonly<Record<string, unknown>>

/** A click that nobody could make in Slack's client: any button, said to stand in any message. */
export interface ForgedClick {
  readonly channel: string
  readonly ts: string
  readonly actionId: string
  readonly value?: string
}

/** What of the open view is not as it was shown. */
export interface ForgedView {
  readonly callbackId?: string
  readonly privateMetadata?: string
  readonly id?: string
  readonly hash?: string
  /** Put over what was entered, block by block. */
  readonly values?: FormValues
}

/**
 * Somebody whose client sends what they like. Slack delivers it in their name and signs it, so an app cannot see from
 * the outside that anything is wrong. Every method resolves with what the app answered, which changes nothing on their
 * screen.
 */
export class Forger {
  readonly #userId: string
  readonly #parts: Parts

  constructor(userId: string, parts: Parts) {
    this.#userId = userId
    this.#parts = parts
  }

  /**
   * Sends the last delivery of this person again, byte for byte under the same id; with several links it comes over
   * another one. Throws a plain error when there is none.
   */
  async redeliver(): Promise<Outcome> {
    const { deliveries } = this.#parts
    const last = deliveries.all.findLast(({ payload }) => nameIn(payload) === this.#userId)
    if (last === undefined) throw new Error(`Nothing was delivered for ${this.#userId} yet`)
    const fields = last.type === 'events_api' ? { retry_attempt: 1, retry_reason: 'timeout' } : {}
    return deliveries.deliver(last.type, last.payload, { id: last.id, fields })
  }

  /** Uses an element that may not be there, in a message that may not be there or be somebody else's. */
  async click(click: ForgedClick): Promise<Outcome> {
    const { clock, responseUrls, triggers } = this.#parts
    const { channel: channelId, ts, actionId, value } = click
    const { message, channel } = this.#placeOf(channelId, ts)
    const action = {
      type: 'button',
      action_id: actionId,
      block_id: 'forged',
      ...(value === undefined ? {} : { value }),
      action_ts: String(clock.now().getTime() / 1_000),
    }
    const reply = {
      triggerId: triggers.issue(this.#userId),
      responseUrl: responseUrls.issue({ userId: this.#userId, channelId, message }),
    }
    return this.send('interactive', actionPayload({ message, channel }, action, this.#self(), reply))
  }

  /** Submits the modal on top as something else than what is shown. Throws a plain error when none is open. */
  async submit(changed: ForgedView = {}): Promise<Outcome> {
    const { views, triggers } = this.#parts
    const view = views.stack(this.#userId).at(-1)
    if (view === undefined) throw new Error('No modal is open')
    return this.send(
      'interactive',
      submissionPayload(forgedView(view, changed), this.#self(), triggers.issue(this.#userId)),
    )
  }

  /** Sends any payload at all. */
  async send(type: DeliveryType, payload: Payload): Promise<Outcome> {
    const { deliveries } = this.#parts
    return deliveries.deliver(type, payload)
  }

  /**
   * Speaks as the app through the last response_url that was given out in this person's name, as somebody can who got
   * hold of it. Returns Slack's error, if any.
   */
  speakAsApp(body: Payload): string | undefined {
    const { deliveries, responseUrls, baseUrl } = this.#parts
    const urls = deliveries.all
      .filter(({ payload }) => nameIn(payload) === this.#userId)
      .flatMap(({ payload }) => (typeof payload['response_url'] === 'string' ? [payload['response_url']] : []))
    const last = urls.at(-1)
    if (last === undefined) throw new Error(`No response_url was given out for ${this.#userId} yet`)
    try {
      responseUrls.use(last.slice(baseUrl().length), body)
      return undefined
    } catch (error) {
      if (error instanceof SlackError) return error.code
      throw error
    }
  }

  #self() {
    return this.#parts.workspace.member(this.#userId)
  }

  /** The message there is, or one made up; likewise its channel. */
  #placeOf(channelId: string, ts: string): { readonly message: StoredMessage; readonly channel: Channel } {
    const { messages, workspace } = this.#parts
    const channel = workspace.findChannel(channelId) ?? {
      id: channelId,
      name: 'forged',
      kind: 'public',
      archived: false,
      members: new Set([this.#userId]),
    }
    const message = messages.find(channelId, ts) ?? {
      channel: channelId,
      ts,
      author: BOT_USER_ID,
      text: '',
      blocks: [],
      threadTs: undefined,
      broadcast: false,
      visibleTo: undefined,
      files: [],
      editedTs: undefined,
    }
    return { message, channel }
  }
}

function forgedView(view: StoredView, changed: ForgedView): StoredView {
  const { callbackId, privateMetadata, id = view.id, hash = view.hash, values = {} } = changed
  const definition = {
    ...view.definition,
    ...(callbackId === undefined ? {} : { callback_id: callbackId }),
    ...(privateMetadata === undefined ? {} : { private_metadata: privateMetadata }),
  }
  return { ...view, id, hash, definition, values: { ...view.values, ...values } }
}

/** Whom a payload is from: each kind says it in another place. */
function nameIn(payload: Payload): unknown {
  const event = fieldsOf(payload['event'])
  return payload['user_id'] ?? fieldsOf(payload['user'])['id'] ?? event['user'] ?? undefined
}

function fieldsOf(given: unknown): Payload {
  return typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given)) : {}
}

/** The person with a client that sends what it likes. Throws for an unknown id. */
export function forger({ parts, workspace }: SlackEmulator, userId: string): Forger {
  return new Forger(workspace.member(userId).id, parts)
}
