import { describe, expect, it } from 'vitest'
import { WholeWriter } from '../../src/shared/whole-write.ts'

const full = Object.assign(new Error('no room'), { code: 'EAGAIN' })

/** A pipe that takes so many bytes at a time, and nothing while `full` says so. */
function pipe(atOnce: number, isFull: () => boolean = () => false) {
  const taken: Buffer[] = []
  let naps = 0
  const write = (bytes: Uint8Array): number => {
    if (isFull()) throw full
    taken.push(Buffer.from(bytes.subarray(0, atOnce)))
    return Math.min(atOnce, bytes.length)
  }
  const writer = new WholeWriter(1, write, () => (naps += 1))
  return { writer, text: () => Buffer.concat(taken).toString(), naps: () => naps }
}

describe('a text that is written', () => {
  it('is written whole, however little is taken at once', () => {
    const { writer, text } = pipe(3)
    writer.write('über-long line\n')
    expect(text()).toBe('über-long line\n')
  })

  it('waits for a reader who is slow', () => {
    let tries = 0
    const { writer, text, naps } = pipe(4, () => (tries += 1) % 3 !== 0)
    writer.write('twelve bytes')
    expect(text()).toBe('twelve bytes')
    expect(naps()).toBe(6)
  })

  it('is dropped after two seconds, and what follows at once, until something is taken again', () => {
    let isFull = true
    const { writer, text, naps } = pipe(100, () => isFull)
    writer.write('a')
    expect(naps()).toBe(400)
    writer.write('b')
    expect(naps()).toBe(400)
    isFull = false
    writer.write('c')
    expect(text()).toBe('c')
  })

  it('fails where the reader is gone', () => {
    const gone = Object.assign(new Error('gone'), { code: 'EPIPE' })
    const writer = new WholeWriter(1, () => {
      throw gone
    })
    expect(() => writer.write('x')).toThrow(gone)
  })
})
