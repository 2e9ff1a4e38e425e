import { askOptions, type Suggestions } from './actions.ts'
import type { Option } from './block-rules/options.ts'
import type { Entry } from './entering.ts'
import type { Placed } from './form-values.ts'
import type { Parts } from './parts.ts'
import type { Place } from './payloads.ts'

/** How long a client waits for the next letter before it asks for options. */
const TYPING_PAUSE_MS = 300
/** External selects remembered for one person; the oldest go first. */
const MAX_SELECTS = 100

/** What external selects showed one person last, and how their client asks for more. */
export class Offers {
  readonly #userId: string
  readonly #parts: Parts
  readonly #shown = new Map<string, readonly Option[]>()
  /** The newest letter typed into each select. */
  readonly #typing = new Map<string, symbol>()

  constructor(userId: string, parts: Parts) {
    this.#userId = userId
    this.#parts = parts
  }

  /** What there is to choose from, asking the app when what shall be chosen was not offered yet. */
  async optionsFor(place: Place, placed: Placed, entry: Entry): Promise<readonly Option[]> {
    const { element } = placed
    if (element.type !== 'external_select') return []
    const initial = element.initial_option
    const known = [...(this.#shown.get(selectKey(place, placed)) ?? []), ...(initial === undefined ? [] : [initial])]
    const wanted = (typeof entry === 'string' ? [entry] : entry).filter((each) => each !== '')
    const isKnown = (each: string) => known.some(({ value, text }) => value === each || text.text === each)
    if (wanted.every(isKnown)) return known
    const asked = await this.ask(place, placed, element.min_query_length === 0 ? '' : (wanted[0] ?? ''))
    return asked.ok ? [...known, ...asked.options] : known
  }

  /** Asks the app at once. */
  async ask(place: Place, placed: Placed, query: string): Promise<Suggestions> {
    const answer = await askOptions(place, placed, query, this.#parts.workspace.member(this.#userId), this.#parts)
    if (answer.ok) {
      const [oldest] = this.#shown.keys()
      if (this.#shown.size >= MAX_SELECTS && oldest !== undefined) this.#shown.delete(oldest)
      this.#shown.set(selectKey(place, placed), answer.options)
    }
    return answer
  }

  /**
   * Asks the app once nothing more was typed for a moment. Undefined when something was, before the app was asked or
   * before it answered: the answer to an older query is not shown.
   */
  async askAfterPause(place: Place, placed: Placed, query: string): Promise<Suggestions | undefined> {
    const key = selectKey(place, placed)
    const letter = Symbol(query)
    this.#typing.set(key, letter)
    await this.#parts.clock.sleep(TYPING_PAUSE_MS)
    if (this.#typing.get(key) !== letter) return undefined
    const answer = await this.ask(place, placed, query)
    if (this.#typing.get(key) !== letter) return undefined
    this.#typing.delete(key)
    return answer
  }
}

function selectKey(place: Place, { blockId, actionId }: Placed): string {
  const where = 'view' in place ? place.view.id : place.message.ts
  return `${where} ${blockId} ${actionId}`
}
