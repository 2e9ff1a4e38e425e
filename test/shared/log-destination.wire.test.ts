import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

const SOURCE = new URL('../../src/shared/log.ts', import.meta.url).href
const LINE_BYTES = 10_000

/** A pipe holds 64 KB of these, and the destination a hundred more. */
const WRITE_LINES = `
  import { logDestination } from ${JSON.stringify(SOURCE)}
  process.stdout // makes the pipe non-blocking
  const log = logDestination(1)
  const started = performance.now()
  const write = (from, to) => {
    for (let line = from; line < to; line += 1) log.write(String(line).padStart(${LINE_BYTES - 1}, '.') + '\\n')
  }
  const isSlow = () => performance.now() - started > 1_000
`

describe('what is written to a pipe', () => {
  it('whose reader is gone is dropped, and the program goes on', async () => {
    const { errors } = await piped('head -n 1', `write(0, 500); log.flush(); console.error(isSlow())`)
    expect(errors).toBe('false\n')
  })

  it('whose reader is slow waits for it without being asked again, and keeps nobody waiting', async () => {
    const ends = `write(0, 20); console.error(isSlow()); setTimeout(() => process.exit(), 4_000)`
    const { lines, errors } = await piped('(sleep 1.5; cat)', ends)
    expect(errors).toBe('false\n')
    expect(lines).toEqual(numbers(20))
  })

  it('is there whole when the program ends, though the reader is slow', async () => {
    const ends = `process.on('exit', () => log.flush()); write(0, 80); process.exit(1)`
    const { lines } = await piped('(sleep 0.5; cat)', ends)
    expect(lines).toEqual(numbers(80))
  })

  it('is dropped in whole lines where nobody reads for long', async () => {
    const ends = `process.on('exit', () => log.flush()); write(0, 300); process.exit(1)`
    const { lines } = await piped('(sleep 0.5; cat)', ends)
    expect(lines.length).toBeGreaterThanOrEqual(100)
    expect(lines.length).toBeLessThan(120)
    expect(lines).toEqual(numbers(lines.length))
  })
})

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** Runs a program whose output goes through a pipe of the system to a reader. */
async function piped(reader: string, program: string): Promise<{ lines: readonly number[]; errors: string }> {
  const shell = `"$0" --input-type=module --eval "$1" | ${reader}`
  const child = spawn('sh', ['-c', shell, process.execPath, WRITE_LINES + program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const lines = output.split('\n').slice(0, -1)
  expect(lines.filter((line) => line.length !== LINE_BYTES - 1)).toEqual([])
  return { lines: lines.map((line) => Number(line.replaceAll('.', ''))), errors }
}
