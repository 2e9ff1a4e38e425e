import { keyShapes } from '../../fixtures/key-shapes.ts'

/** A secret that is planted, and how it could show: each spelling by its name. Shares no code with the scrubber. */
export interface Canary {
  readonly kind: string
  readonly value: string
  readonly spellings: Readonly<Record<string, string>>
}

const PREFIX = 8

/** One of each shape; another seed makes others. */
export function canaries(seed: string): readonly Canary[] {
  const others = keyShapes(`other than ${seed}`)
  return keyShapes(seed).map(({ kind, value }, index) => {
    const alike = others[index]?.value ?? ''
    let common = 0
    while (value[common] === alike[common]) common += 1
    // What every key of its kind begins with tells nothing.
    return { kind, value, spellings: spellingsOf(value, value.slice(common, common + PREFIX)) }
  })
}

/** The encodings that a scan looks for; `own` is the beginning of what only this value has. */
export function spellingsOf(value: string, own = value.slice(0, PREFIX)): Readonly<Record<string, string>> {
  const bytes = Buffer.from(value)
  const shifted = (by: number): string => Buffer.concat([Buffer.alloc(by), bytes]).toString('base64')
  const whole = (by: number): number => Math.floor(((bytes.length + by) * 4) / 3)
  return {
    'as it is': value,
    'in JSON': JSON.stringify(value).slice(1, -1),
    'in an address': encodeURIComponent(value),
    'as digits': bytes.toString('hex'),
    'as base64': shifted(0).slice(0, whole(0)),
    'as base64 behind one byte': shifted(1).slice(2, whole(1)),
    'as base64 behind two bytes': shifted(2).slice(3, whole(2)),
    'as its beginning': own,
  }
}

/** Which spellings of which of them a text holds. */
export function foundIn(text: string, planted: readonly Canary[]): readonly string[] {
  return planted.flatMap(({ kind, spellings }) =>
    Object.entries(spellings)
      .filter(([, spelling]) => text.includes(spelling))
      .map(([name]) => `${kind}, ${name}`),
  )
}
