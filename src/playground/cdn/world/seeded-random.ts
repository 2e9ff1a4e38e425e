/** Draws that are the same for the same seed, so a world can be rebuilt bit by bit and any of its minutes read alone. */
export type Random = ReturnType<typeof seededRandom>

export interface Weighted<Value> {
  readonly value: Value
  readonly weight: number
}

const TWO_TO_32 = 0x1_0000_0000
const HEX_DIGITS_A_DRAW = 8
const WARM_UP_DRAWS = 8

/**
 * A generator started by a text: `seededRandom('world/301/29391840')`. Its state has 128 bits, so that two texts do not
 * run into each other's draws. Not for anything that must be unguessable.
 */
export function seededRandom(seed: string) {
  const draw = generator(seed)
  const next = (): number => draw() / TWO_TO_32
  return {
    /** A number in [0, 1). */
    next,
    /** Both bounds included. */
    integer: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    pick<Value>(values: readonly Value[]): Value {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new RangeError('Nothing to pick from')
      return value
    },
    /** One of the values, each as likely as its weight says. Throws RangeError when no weight is positive. */
    weighted<Value>(choices: readonly Weighted<Value>[]): Value {
      let left = next() * choices.reduce((sum, { weight }) => sum + weight, 0)
      for (const { value, weight } of choices) {
        if (left < weight) return value
        left -= weight
      }
      throw new RangeError('Nothing to choose from')
    },
    hex(digits: number): string {
      let text = ''
      while (text.length < digits) text += draw().toString(16).padStart(HEX_DIGITS_A_DRAW, '0')
      return text.slice(0, digits)
    },
  }
}

/** A small fast counting generator: three words are mixed and one counts, which rules out short cycles. */
function generator(seed: string): () => number {
  let [a, b, c] = [hash(`${seed}/a`), hash(`${seed}/b`), hash(`${seed}/c`)]
  let count = 1
  const draw = (): number => {
    const drawn = (a + b + count) >>> 0
    count = (count + 1) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + drawn) >>> 0
    return drawn
  }
  for (let index = 0; index < WARM_UP_DRAWS; index += 1) draw()
  return draw
}

/** FNV-1a, with the bits spread afterwards so that neighbouring seeds share nothing. */
function hash(text: string): number {
  let value = 0x811c_9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x0100_0193)
  }
  let mixed = value >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
