import type { AllMiddlewareArgs, AnyMiddlewareArgs, App, CodedError } from '@slack/bolt'

/** A listener as it is registered: for what it is handed, its own kind of payload is known to whoever registers it. */
type Handler = (given: AnyMiddlewareArgs & AllMiddlewareArgs) => Promise<void>

/**
 * What listeners are registered with, as with an app of Bolt: one for each kind of delivery. Bolt itself tries every listener
 * on every delivery, each through a chain of its own; here one middleware looks up the one that is meant.
 */
class OneListener {
  readonly #handlers = new Map<string, Handler>()
  readonly #app: App

  constructor(app: App) {
    this.#app = app
    app.use(async (given) => this.#handlers.get(kindOf(given))?.(given))
  }

  readonly command = (_: RegExp, handler: Handler) => void this.#handlers.set('command', handler)
  readonly action = (_: RegExp, handler: Handler) => void this.#handlers.set('block_actions', handler)
  readonly options = (_: RegExp, handler: Handler) => void this.#handlers.set('block_suggestion', handler)
  readonly shortcut = (_: RegExp, handler: Handler) => {
    for (const kind of ['shortcut', 'message_action']) this.#handlers.set(kind, handler)
  }
  readonly view = ({ type }: { readonly type: string }, handler: Handler) => void this.#handlers.set(type, handler)
  readonly event = (name: string, handler: Handler) => void this.#handlers.set(`event ${name}`, handler)
  readonly error = (handler: (error: CodedError) => Promise<void>) => this.#app.error(handler)
}

/** The app as listeners are registered with it. Each kind of delivery has one listener, whatever its constraints say. */
export function oneListener(app: App): App {
  return new OneListener(app) as unknown as App // `registerListeners` uses these of its methods
}

function kindOf(given: AnyMiddlewareArgs): string {
  if ('command' in given) return 'command'
  if ('event' in given) return `event ${given.event.type}`
  return 'type' in given.body && typeof given.body.type === 'string' ? given.body.type : ''
}
