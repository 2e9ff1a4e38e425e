import { parseInstant } from '../../cdn/dates.ts'

/**
 * Reads query parameters strictly and collects what is wrong with them, so that one answer can name everything. An
 * unknown or repeated parameter is wrong too: the platform would ignore it, but here it betrays a mistake of the caller.
 */
export class QueryReader {
  readonly #query: URLSearchParams
  readonly #problems: QueryProblem[] = []

  constructor(query: URLSearchParams, known: readonly string[]) {
    this.#query = query
    for (const name of new Set(query.keys())) {
      if (!known.includes(name)) this.problem(name, `${name} is not a parameter of this operation.`)
      else if (query.getAll(name).length > 1) this.problem(name, `${name} may be given once.`)
    }
  }

  get problems(): readonly QueryProblem[] {
    return this.#problems
  }

  problem(field: string, message: string): void {
    this.#problems.push({ field, message })
  }

  text(name: string): string | undefined {
    return this.#query.get(name) ?? undefined
  }

  /** The items of a comma-joined list, all of which must fit the pattern. */
  list(name: string, pattern: RegExp): readonly string[] | undefined {
    const items = this.text(name)?.split(',')
    if (items?.every((item) => pattern.test(item)) === false) this.problem(name, `${name} holds a malformed value.`)
    return items
  }

  instant(name: string): Date | undefined {
    const given = this.text(name)
    if (given === undefined) return undefined
    const instant = parseInstant(given)
    if (instant === undefined) this.problem(name, `${name} must be a date-time.`)
    return instant
  }

  whole(name: string, { standard, min, max }: { standard: number; min: number; max: number }): number {
    const given = this.text(name)
    if (given === undefined) return standard
    const value = /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    if (value >= min && value <= max) return value
    this.problem(name, `${name} must lie between ${min} and ${max}.`)
    return standard
  }

  choice<Value extends string>(name: string, values: readonly Value[], standard: Value): Value {
    const given = this.text(name)
    if (given === undefined) return standard
    const known = values.find((value) => value === given)
    if (known === undefined) this.problem(name, `${name} must be one of ${values.join(', ')}.`)
    return known ?? standard
  }
}

export interface QueryProblem {
  readonly field: string
  readonly message: string
}
