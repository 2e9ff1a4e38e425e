import { message, type Message, messageOf, smallPrint, titledList } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn, plainOf, utcText } from '../../block-kit/mrkdwn.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import type { Answer } from './answer.ts'
import { context, header, section } from '../../block-kit/sections.ts'
import { fitTable } from '../../block-kit/table.ts'
import { nameOf, type NumberedChoice } from '../../cdn/contract/enums.ts'
import { Secret } from '../../shared/secret.ts'
import { visible } from '../../shared/untrusted.ts'

/** Every field of something the platform stored, by the platform's own names, ready to be shown. */
export type StoredFields = readonly (readonly [name: string, value: string])[]

export type FieldShape = Readonly<Record<string, readonly string[] | undefined>>

/** Turns the value of a field into words where the plain ones are not enough: numbered choices, things to mask. */
export type FieldWords = Readonly<Record<string, (value: unknown) => string>>

const MAX_VALUE_CODE_POINTS = 200
const MAX_LIST_SHOWN = 20

/**
 * All fields of `shape`, in its order, whether the platform gave them or not. A nested object becomes one row for each
 * of its own fields, named with a dot. `words` may say how a field is shown.
 */
export function storedFields(
  shape: FieldShape,
  stored: Readonly<Record<string, unknown>>,
  words: FieldWords = {},
): StoredFields {
  return Object.entries(shape).flatMap(([name, inside]) => {
    const value = stored[name]
    const own = words[name]
    if (own !== undefined && value !== undefined) return [[name, visible(own(value), MAX_VALUE_CODE_POINTS)] as const]
    if (!isNested(value)) return [[name, said(value)] as const]
    return (inside ?? []).map((inner) => [`${name}.${inner}`, said(value[inner])] as const)
  })
}

/** A value as people read it. A key never shows more than that there is one. Long text is cut, with …. */
export function said(value: unknown, maxCodePoints = MAX_VALUE_CODE_POINTS): string {
  if (value === undefined || value === null) return 'none'
  if (value === '') return 'empty'
  if (value instanceof Secret) return 'given, not shown'
  if (value instanceof Date) return utcText(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return listed(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' ? visible(value, maxCodePoints) : 'unreadable'
}

export function named(choice: NumberedChoice): (value: unknown) => string {
  return (value) => (typeof value === 'number' ? nameOf(choice, value) : said(value))
}

/** The same with the number, for a list of all fields. */
export function numbered(choice: NumberedChoice): (value: unknown) => string {
  return (value) => {
    if (typeof value !== 'number') return said(value)
    const name = nameOf(choice, value)
    return name === String(value) ? name : `${name} (${value})`
  }
}

export function storedFieldsMessage(title: string, fields: StoredFields, note = ''): Message {
  const columns = ['Field', 'Value'].map((name) => ({ title: name, kind: 'text' }) as const)
  const { block, kept, total } = fitTable({ caption: title, columns, rows: fields, pageSize: 25 })
  const cut = kept < total ? [context(`${total - kept} fields found no room in the table.`)] : []
  return message({
    text: [title, ...fields.map(([name, value]) => `${name}: ${value}`)].join('\n'),
    blocks: [
      header(title),
      block,
      ...cut,
      context(
        `${note}Fields bear the names of the CDN’s interface; “none” is a field without a value, … the end of a value that was cut.`,
      ),
    ],
  })
}

function listed(values: readonly unknown[]): string {
  if (values.length === 0) return 'none'
  const words = values.map((value) => said(value))
  return visible(listFew(words, MAX_LIST_SHOWN), MAX_VALUE_CODE_POINTS)
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  return !(Array.isArray(value) || value instanceof Date || value instanceof Secret)
}

interface Difference {
  readonly field: string
  readonly asked: string
  readonly stored: string | undefined
}

interface WithShape {
  readonly shape: object
}

/**
 * How things of one kind are said: what is asked for, what was stored otherwise, and all that is stored. `wordFields` has
 * numbered choices by name alone, and for the last one with the number.
 */
export function thingWords(
  schema: WithShape,
  nested: Readonly<Record<string, WithShape>>,
  wordFields: (choice: typeof named) => FieldWords,
) {
  const inside = Object.entries(nested).map(([name, { shape }]) => [name, Object.keys(shape)] as const)
  const names = Object.keys(schema.shape).map((name) => [name, undefined] as const)
  const shape: FieldShape = Object.fromEntries([...names, ...inside])
  const [inShort, inFull] = [wordFields(named), wordFields(numbered)]
  const say = (field: string, value: unknown, maxCodePoints?: number): string => {
    const own = inShort[field]
    return own === undefined || value === undefined ? said(value, maxCodePoints) : own(value)
  }
  return {
    say,
    /** What is sent. A person confirms it, so nothing of it is cut: no value may be longer than `maxCodePoints`. */
    request: (request: object, label: (field: string) => string, maxCodePoints: number) =>
      Object.entries(request).map(
        ([field, value]: [string, unknown]) => [label(field), say(field, value, maxCodePoints)] as const,
      ),
    /**
     * Every field of the request that what was stored does not repeat as it was asked. Under `places` are those that are
     * given back under another name, if at all; `spread` makes lists of texts in which the order does not matter.
     */
    differences: (
      request: object,
      thing: object,
      label: (field: string) => string,
      places: Readonly<Record<string, string>> = {},
      spread = (_: string, value: unknown): unknown => value,
    ): readonly Difference[] => {
      const found = new Map<string, unknown>(Object.entries(thing))
      return Object.entries(request).flatMap(([field, asked]: [string, unknown]) => {
        const { [field]: place = field } = places
        const stored = found.get(place)
        const isRepeated = place === field || (stored !== undefined && stored !== '')
        if (!isRepeated || isSame(spread(field, asked), spread(field, stored))) return []
        const inWords = stored === undefined ? undefined : say(place, stored)
        return [{ field: label(field), asked: say(field, asked), stored: inWords }]
      })
    },
    all: (thing: object) => storedFields(shape, { ...thing }, inFull),
  }
}

/**
 * Whether the platform stored what was asked: nothing, an empty text and an empty list are the same, an id is the same
 * as its digits, and the order of a list does not matter.
 */
export function isSame(asked: unknown, stored: unknown): boolean {
  return comparable(asked) === comparable(stored)
}

function inWords({ field, asked, stored }: Difference): Mrkdwn {
  if (stored === undefined) return md`*${field}*: asked ${asked}; the answer does not say what was stored`
  // Long texts are cut and secret ones masked, so that two that differ may look the same.
  if (stored === asked) return md`*${field}*: stored otherwise than asked, in a part of ${asked} that is not shown`
  return md`*${field}*: asked ${asked}, stored ${stored}`
}

function comparable(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(item).toSorted().join('\n') : said(value)
}

function item(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface Stored {
  readonly actorId: string
  /** What they did, in one line without its subject: "added an A record …". */
  readonly did: Mrkdwn
  readonly differences: readonly Difference[]
  readonly small?: readonly Mrkdwn[]
  readonly allFields: Message
}

/** A success in one line; what was stored otherwise than asked is the only thing that needs more. */
export function storedAnswer({ actorId, did, differences, small = [], allFields }: Stored): Answer {
  // A notification cannot show names of people.
  const lead = {
    blocks: [section(md`:white_check_mark: ${mention(actorId)} ${did}`)],
    lines: [`Done: ${plainOf(did)}`],
  }
  const differing = titledList('Stored differently from what was asked', differences.map(inWords))
  return {
    message: messageOf(lead, differing, smallPrint(...small)),
    buttons: [{ kind: 'more', label: 'All fields', message: allFields }],
  }
}
