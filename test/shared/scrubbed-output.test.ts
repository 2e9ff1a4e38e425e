import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScrubbedOutput } from '../../src/shared/scrubbed-output.ts'
import { Scrubber } from '../../src/shared/scrubber.ts'

const SECRET = 'hush-hush-hush-key1'
/** Each spelling of it differs. Its bytes are whole groups of base64. */
const ODD = 'pass"word/with+signs='

function output() {
  const scrubber = new Scrubber()
  scrubber.register(SECRET)
  scrubber.register(ODD)
  const written: string[] = []
  return { written, out: new ScrubbedOutput(scrubber, (text) => written.push(text)) }
}

describe('a stream that secrets are taken out of', () => {
  it('lets whole lines out at once', () => {
    const { out, written } = output()
    out.write(`a ${SECRET}\nb\n`)
    expect(written).toEqual(['a [secret]\nb\n'])
  })

  it('finds a secret wherever it is cut in two, as text and as bytes', () => {
    for (let at = 0; at <= SECRET.length; at += 1) {
      for (const make of [(text: string) => text, (text: string) => Buffer.from(text)]) {
        const { out, written } = output()
        out.write(make(`ü ${SECRET.slice(0, at)}`))
        out.write(make(`${SECRET.slice(at)} ü`))
        out.end()
        expect(written.join('')).toBe('ü [secret] ü')
      }
    }
  })

  it('lets out what never became a line, when it is over', () => {
    const { out, written } = output()
    out.write('no line')
    expect(written).toEqual([])
    out.end()
    out.end()
    expect(written).toEqual(['no line'])
  })

  it('holds no more of an endless line than 64 KB, and cuts it through no secret', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 70_000 }), fc.integer({ min: 1, max: 9_000 }), (before, size) => {
        const { out, written } = output()
        let most = 0
        const text = `${'.'.repeat(before)}${SECRET}${'.'.repeat(3_000)}${SECRET}${'.'.repeat(70_000)}`
        for (let at = 0; at < text.length; at += size) {
          out.write(text.slice(at, at + size))
          most = Math.max(most, Math.min(text.length, at + size) - written.join('').length - 2 * SECRET.length)
        }
        expect(most).toBeLessThanOrEqual(64 * 1024)
        out.end()
        expect(written.join('')).toBe(text.replaceAll(SECRET, '[secret]'))
      }),
      { numRuns: 50 },
    )
  })

  const HELD = 64 * 1024
  /** A secret as programs write it. */
  const SPELLINGS = [
    ODD,
    JSON.stringify(ODD).slice(1, -1),
    Buffer.from(ODD).toString('hex'),
    Buffer.from(ODD).toString('base64'),
    encodeURIComponent(encodeURIComponent(ODD)),
  ]
  const LONGEST = Math.max(...SPELLINGS.map(({ length }) => length))

  /** What is let out of these pieces, one after another, joined. */
  function letOut(...pieces: readonly string[]): string {
    const { out, written } = output()
    for (const piece of pieces) out.write(piece)
    out.end()
    return written.join('')
  }

  it('finds a secret wherever it is cut in three, with as little as nothing between', () => {
    for (let first = 0; first <= SECRET.length; first += 1) {
      for (let second = first; second <= SECRET.length; second += 1) {
        const [a, b, c] = [SECRET.slice(0, first), SECRET.slice(first, second), SECRET.slice(second)]
        expect(letOut(`x\ny ${a}`, b, `${c} z\n`, 'end')).toBe('x\ny [secret] z\nend')
      }
    }
  })

  it('finds a secret of which each character comes by itself, behind lines and before them', () => {
    expect(letOut(...`a\n${SECRET}\n\n${SECRET} b\nc${SECRET}`.split(''))).toBe('a\n[secret]\n\n[secret] b\nc[secret]')
    expect(letOut(`a\n${SECRET.slice(0, 9)}`, `${SECRET.slice(9)}\nb`)).toBe('a\n[secret]\nb')
    expect(letOut(`${SECRET.slice(0, 9)}\n${SECRET.slice(9)}`)).not.toContain(SECRET.slice(0, 9))
  })

  it.each(SPELLINGS)('lets no part of it out of a line that is too long, wherever that is cut: %s', (spelled) => {
    // What was written when the line became too long ends within the secret, or so many characters behind it.
    for (let written = 0; written <= spelled.length + LONGEST + 2; written += 1) {
      const text = `${spelled}${'.'.repeat(LONGEST + 2)}`
      const filled = '.'.repeat(HELD + 1 - written)
      expect(
        letOut(filled + text.slice(0, written), text.slice(written)) === filled + text.replace(spelled, '[secret]'),
      ).toBe(true)
    }
  })

  it('lets no part out of two that stand side by side, wherever the line is cut', () => {
    for (let written = 0; written <= 3 * SECRET.length + LONGEST; written += 1) {
      const text = `${SECRET}${SECRET}-${SECRET}${'.'.repeat(LONGEST)}`
      const filled = '.'.repeat(HELD + 1 - written)
      const shown = letOut(filled + text.slice(0, written), text.slice(written))
      expect(shown.slice(filled.length)).toBe(text.replaceAll(SECRET, '[secret]'))
    }
  })

  it('holds a line of 64 KB back, and of a longer one no more than could become a secret', () => {
    const { out, written } = output()
    out.write('.'.repeat(HELD))
    expect(written).toEqual([])
    out.write('.')
    expect(written.join('').length).toBeGreaterThan(HELD - 10 * SECRET.length)
    expect(written.join('').length).toBeLessThanOrEqual(HELD + 1 - LONGEST)
    out.write(`${'.'.repeat(HELD)}\n`)
    expect(written.join('')).toBe(`${'.'.repeat(2 * HELD + 1)}\n`)
  })

  it('puts characters together again that came in pieces', () => {
    const { out, written } = output()
    for (const byte of Buffer.from('ü€😀\n')) out.write(Uint8Array.of(byte))
    expect(written.join('')).toBe('ü€😀\n')
  })

  it('shows that a character is missing its end, when nothing more comes', () => {
    const { out, written } = output()
    out.write(Buffer.from('a€').subarray(0, -1))
    out.end()
    expect(written.join('')).toBe('a\uFFFD')
  })
})
