import type { Choice } from '../../block-kit/inputs.ts'
import type { RawValue } from '../../shared/raw-values.ts'
import type { ZoneName } from '../../store/zone-names.ts'
import type { ZoneKind } from '../../store/schema/tables.ts'

/** A name for a zone's id: from the configuration, or from somebody who gave it, as the store keeps it. */
export interface NamedZone extends Pick<ZoneName, 'kind' | 'name' | 'zoneId'> {
  /** It stands in the configuration: commands can neither give nor take it. */
  readonly managed?: true
  /** The https address of instructions for when an alert is about it. */
  readonly runbook?: string | undefined
}

/** A zone as an operation gets it: the id decides, the name is a label shown beside it. */
export interface ZoneReference {
  readonly id: bigint
  readonly name: string | undefined
}

/** Somebody in Slack, or a user group, who bears a name that was typed. Foreign text. */
export interface NamedPerson {
  readonly id: string
  readonly name: string
  /** A group that there is where nobody bears the name: to be offered, and never to be meant. */
  readonly isOther?: boolean
}

export interface ParseContext {
  readonly now: Date
  readonly zones: readonly NamedZone[]
  /** IANA name: a clock time such as `03:10` is meant in the reader's zone. */
  readonly timeZone: string
  /** Who bears each name that was typed for a person, in lower case and without its @; names that nobody looked up are not there. */
  readonly named?: ReadonlyMap<string, readonly NamedPerson[]>
}

export type FieldResult<T> =
  | { readonly ok: true; readonly value: T }
  /** `problem` is a sentence that names the rule. */
  | { readonly ok: false; readonly problem: string }

export type FieldControl =
  | {
      readonly kind: 'text'
      readonly maxLength: number
      readonly multiline: boolean
      /** What stands for the value where it is shown how to type it: `time`, `id`. */
      readonly word?: string
      /** Names somebody in Slack: a name is looked up there, and may have several words. */
      readonly isPerson?: true
    }
  | {
      readonly kind: 'number'
      readonly decimal: boolean
      readonly min: number | undefined
      readonly max: number | undefined
    }
  /** On or absent, typed as a bare flag. */
  | { readonly kind: 'switch' }
  /** CDN default, on, off: a nullable boolean. `default` is not sent. */
  | { readonly kind: 'tri-state' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** Several of a list; typed separated by commas. */
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  /** One zone, or several; typed separated by commas or spaces. */
  | { readonly kind: 'zone'; readonly zoneKind: ZoneKind; readonly several?: true }

/**
 * One input of an operation, as grammar, help, form, validation and documentation all need it. Reading a value is pure.
 * `Needed` says in the type whether the operation can rely on the value being there.
 */
export interface Field<T = unknown, Needed extends boolean = boolean> {
  readonly label: string
  /** The rule or meaning, shown under the input and in the help. */
  readonly hint: string | undefined
  readonly control: FieldControl
  readonly required: Needed
  /** The value is masked in reviews, audit and messages, and erased from the store when the change ends. */
  readonly secret: boolean
  read(raw: RawValue, context: ParseContext): FieldResult<T>
}

export type Fields = Readonly<Record<string, Field>>

/** The checked values an operation runs on: a field that is not required may be undefined. */
export type InputOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T, infer Needed>
    ? Needed extends true
      ? T
      : T | undefined
    : never
}
