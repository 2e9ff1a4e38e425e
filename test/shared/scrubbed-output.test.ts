import { describe, expect, it } from 'vitest'
import { scrubbedOutput } from '../../src/shared/scrubbed-output.ts'
import { Scrubber } from '../../src/shared/scrubber.ts'

const SECRET = 'hush-hush-hush-key1'

function output() {
  const scrubber = new Scrubber()
  scrubber.register(SECRET)
  const written: string[] = []
  return { written, out: scrubbedOutput(scrubber, (text) => written.push(text)) }
}

describe('a stream that secrets are taken out of', () => {
  it('lets whole lines out at once', () => {
    const { out, written } = output()
    out.write(`a ${SECRET}\nb\n`)
    expect(written).toEqual(['a [secret]\nb\n'])
    out.write(Buffer.from('a€').subarray(0, -1))
    out.end()
    expect(written[1]).toBe('a\uFFFD')
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

  it('leaves out what is longer than 64 KB of a line in pieces, up to its end, and goes on behind it', () => {
    const most = '.'.repeat(64 * 1024)
    expect(letOut(most, '\n')).toBe(`${most}\n`)
    expect(letOut(most, '.', SECRET.slice(0, 9), `${SECRET.slice(9)}\nb ${SECRET}\n`, 'c')).toBe(
      '[a line that was too long]\nb [secret]\nc',
    )
    expect(letOut(most, '.')).toBe('[a line that was too long]')
  })

  it('puts characters together again that came in pieces', () => {
    const { out, written } = output()
    for (const byte of Buffer.from('ü€😀\n')) out.write(Uint8Array.of(byte))
    expect(written.join('')).toBe('ü€😀\n')
  })
})
