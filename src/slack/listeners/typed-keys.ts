import type { Operation } from '../../operations/declaration/operation.ts'
import { holdsChance, holdsKeyShape } from '../../shared/key-shapes.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { type Concerned, InvalidDelivery } from '../gateway/invalid-delivery.ts'

const WORDS = {
  summary: 'A key or password was typed',
  happened:
    'What you typed holds something that looks like a key or a password, so it was neither used, nor kept, nor shown. Nothing was done.',
  next: 'Slack has seen it, so make a new one and take the old one out of use. If it is no key, ask again without it, or put it into the panel yourself.',
} as const

/** Somebody typed a key where none belongs. It is not repeated anywhere; only that it happened is put on record. */
function typedKey(concerned: Concerned): InvalidDelivery {
  const what = 'What was typed holds something that looks like a key. It was neither used nor kept.'
  return new InvalidDelivery(what, concerned, WORDS)
}

export type HoldsSecret = (text: string) => boolean

/** Throws where a value that is not meant to be secret is a key, or holds one. */
export function refuseKeys(
  { name, fields }: Pick<Operation, 'name' | 'fields'>,
  values: RawValues,
  holdsSecret: HoldsSecret,
  concerned: Concerned = { operation: name },
): void {
  for (const [field, value] of Object.entries(values)) {
    const texts = typeof value === 'string' ? [value] : value
    const meant = Object.hasOwn(fields, field) && fields[field]?.secret === true
    if (texts.some((text) => holdsSecret(text) || (!meant && holdsKeyShape(text)))) throw typedKey(concerned)
  }
}

/** Throws where a text that would be repeated to say what is wrong with it looks like a key. */
export function refuseEcho(texts: readonly string[], holdsSecret: HoldsSecret, concerned: Concerned = {}): void {
  if (texts.some((text) => holdsSecret(text) || holdsKeyShape(text) || holdsChance(text))) throw typedKey(concerned)
}
