import type { ChangeState } from '../../../src/store/schema/change.ts'
import type { Cell, Place } from './cells.ts'
import type { IdentityName } from './identities.ts'

/** What a meeting comes to, as anybody can see it from outside. */
export type Result =
  /** Said no, one entry in the record, nothing done. */
  | 'refused'
  /** Nobody could say who it is: nothing done. */
  | 'unanswered'
  /** Home is left as it was. */
  | 'silence'
  | 'answered'
  | 'form'
  | 'review'
  | 'Home'
  /** What has to be read before deciding. */
  | 'prompt'
  /** How the change stands; nothing done. */
  | 'told'
  /** What it belongs to is not there any more, or never was; nothing done. */
  | 'gone'
  | 'waiting'
  | 'sent'
  | 'declined'
  | 'cancelled'
  | 'settled'

export type OneOf<T extends string> = '*' | T | readonly T[]

/** What happens in the cells that fit. Where several rules fit, they have to agree. */
export interface Rule {
  readonly who: OneOf<IdentityName>
  /** Complete names, so that a new operation is in no rule. */
  readonly what: OneOf<string>
  readonly where: OneOf<Place>
  readonly state: OneOf<ChangeState | 'none'>
  readonly result: Result
}

/** The results of all rules that fit a cell, each once: there has to be exactly one. */
export function expected({ who, what, where, state }: Cell, rules: readonly Rule[]): readonly Result[] {
  const fitting = rules.filter(
    (rule) => fits(rule.who, who) && fits(rule.what, what) && fits(rule.where, where) && fits(rule.state, state),
  )
  return [...new Set(fitting.map(({ result }) => result))]
}

function fits<T extends string>(wanted: OneOf<T>, given: T): boolean {
  return wanted === '*' || wanted === given || (typeof wanted !== 'string' && wanted.includes(given))
}
