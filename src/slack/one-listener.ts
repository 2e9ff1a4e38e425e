import type {
  AnyMiddlewareArgs,
  App,
  CodedError,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'

type Listener<Given> = (given: Given) => Promise<void>

/**
 * One listener for each kind of delivery. Bolt itself tries every listener on every delivery, each through a chain of its own;
 * here one middleware looks up the one that is meant. What has none is left to Bolt, which does nothing with it.
 */
export class OneListener {
  readonly #app: App
  readonly #listeners = new Map<string, Listener<never>>()

  constructor(app: App) {
    this.#app = app
    app.use(async (given) => this.#listeners.get(kindOf(given))?.(given as never)) // its kind says that it is the listener's
  }

  command(listener: Listener<SlackCommandMiddlewareArgs>): void {
    this.#listeners.set('command', listener)
  }

  action(listener: Listener<SlackActionMiddlewareArgs>): void {
    this.#listeners.set('block_actions', listener)
  }

  options(listener: Listener<SlackOptionsMiddlewareArgs<'block_suggestion'>>): void {
    this.#listeners.set('block_suggestion', listener)
  }

  shortcut(listener: Listener<SlackShortcutMiddlewareArgs>): void {
    for (const kind of ['shortcut', 'message_action']) this.#listeners.set(kind, listener)
  }

  view(kind: 'view_submission' | 'view_closed', listener: Listener<SlackViewMiddlewareArgs>): void {
    this.#listeners.set(kind, listener)
  }

  event<Name extends string>(name: Name, listener: Listener<SlackEventMiddlewareArgs<Name>>): void {
    this.#listeners.set(`event ${name}`, listener)
  }

  /** Whatever a listener throws comes here. */
  error(listener: Listener<CodedError>): void {
    this.#app.error(listener)
  }
}

/** What listeners are registered with. */
export type Listening = Pick<OneListener, keyof OneListener>

function kindOf(given: AnyMiddlewareArgs): string {
  if ('command' in given) return 'command'
  if ('event' in given) return `event ${given.event.type}`
  return 'type' in given.body && typeof given.body.type === 'string' ? given.body.type : ''
}
