import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScrubbedOutput } from '../../src/shared/scrubbed-output.ts'
import { Scrubber } from '../../src/shared/scrubber.ts'

const SECRET = 'hush-hush-hush-key1'

function output() {
  const scrubber = new Scrubber()
  scrubber.register(SECRET)
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

  it('puts characters together again that came in pieces', () => {
    const { out, written } = output()
    for (const byte of Buffer.from('ü€😀\n')) out.write(Uint8Array.of(byte))
    expect(written.join('')).toBe('ü€😀\n')
  })
})
