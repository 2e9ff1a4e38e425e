import { heading, type Message, messageOf, smallPrint, tablePart, titledList } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn, plainOf, utcText } from '../../block-kit/mrkdwn.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import type { Answer } from './answer.ts'
import { section } from '../../block-kit/sections.ts'
import { type Column, tableOf } from '../../block-kit/table.ts'
import { nameOf, type NumberedChoice } from '../../cdn/contract/enums.ts'
import { Secret } from '../../shared/secret.ts'
import { visible } from '../../shared/untrusted.ts'

/** Turns the value of a field into words where the plain ones are not enough: numbered choices, things to mask. */
type FieldWords = Readonly<Record<string, (value: unknown) => string>>

const MAX_VALUE_CODE_POINTS = 200
const MAX_LIST_SHOWN = 20

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

export function storedFieldsMessage(title: string, fields: readonly StoredField[], note = ''): Message {
  const { blocks, kept, total } = tablePart(tableOf(title, COLUMNS, fields, 25))
  return messageOf(
    heading(title),
    { blocks, lines: fields.map(([name, value]) => `${name}: ${value}`) },
    smallPrint(
      kept < total && md`${total - kept} fields found no room in the table.`,
      md`${note}Fields bear the names of the CDN’s interface; “none” is a field without a value, … the end of a value that was cut.`,
    ),
  )
}

/** A field of something that the platform stored, by its own name, and its value in words. */
type StoredField = readonly [name: string, value: string]

const COLUMNS: readonly Column<StoredField>[] = [
  ['Field', ([name]) => name],
  ['Value', ([, value]) => value],
]

function listed(values: readonly unknown[]): string {
  if (values.length === 0) return 'none'
  const words = values.map((value) => said(value))
  return visible(listFew(words, MAX_LIST_SHOWN), MAX_VALUE_CODE_POINTS)
}

interface Difference {
  readonly field: string
  readonly asked: string
  readonly stored: string | undefined
}

interface WithShape {
  readonly shape: object
}

/** How things of one kind are said: what is asked for, what was stored otherwise, and all that is stored. */
export function thingWords(schema: WithShape, nested: Readonly<Record<string, WithShape>>, words: FieldWords) {
  const say = (field: string, value: unknown, maxCodePoints?: number): string => {
    const own = words[field]
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
    /** All fields of the schema, whether the platform gave them or not; those of a nested object are named with a dot. */
    all: (thing: object): readonly StoredField[] => {
      const stored = new Map<string, unknown>(Object.entries(thing))
      return Object.keys(schema.shape).flatMap((name): readonly StoredField[] => {
        const [value, inside] = [stored.get(name), nested[name]]
        if (inside === undefined || typeof value !== 'object' || value === null)
          return [[name, visible(say(name, value), MAX_VALUE_CODE_POINTS)]]
        const own = new Map<string, unknown>(Object.entries(value))
        return Object.keys(inside.shape).map((inner) => [`${name}.${inner}`, said(own.get(inner))])
      })
    },
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
