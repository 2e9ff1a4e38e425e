import { describe, expect, it } from 'vitest'
import { createLog, type LogLevel } from '../../src/shared/log.ts'
import { Scrubber } from '../../src/shared/scrubber.ts'
import { Secret } from '../../src/shared/secret.ts'

const SECRET = 'hush-"quoted"-hush'

function logged(level: LogLevel = 'info') {
  const scrubber = new Scrubber()
  scrubber.register(SECRET)
  const lines: string[] = []
  return { lines, log: createLog({ level, scrubber, write: (line) => lines.push(line) }) }
}

describe('the log', () => {
  it('writes one JSON object a line, with its time, and at once', () => {
    const { log, lines } = logged()
    log.info({ address: 'https://x' }, 'a\nsentence')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\{[^\n]*\}\n$/)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 30, msg: 'a\nsentence', address: 'https://x' })
    expect(JSON.parse(lines[0]!)).toHaveProperty('time', expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/))
    expect(Object.keys(JSON.parse(lines[0]!) as object)).toEqual(['level', 'time', 'address', 'msg'])
  })

  it('leaves out what is below its level', () => {
    const { log, lines } = logged('warn')
    log.info('quiet')
    log.warn('loud')
    expect(lines).toHaveLength(1)
  })

  it('lets no secret through, in fields, children, sentences and errors with their causes', () => {
    const { log, lines } = logged('trace')
    const root = Object.assign(new Error(`no ${SECRET}`), { headers: { authorization: `Bearer ${SECRET}` } })
    const error = new TypeError('outer', { cause: new Error('middle', { cause: root }) })
    log.child({ from: SECRET }).error({ err: error, deep: { list: [{ key: SECRET }] } }, `sentence with ${SECRET}`)
    log.trace({ address: `https://x/?key=${encodeURIComponent(SECRET)}` }, 'x')
    log.warn({ secret: new Secret(`${SECRET}-more`) }, 'x')
    const text = lines.join('')
    expect(text).toContain('outer')
    expect(text).toContain('[secret]')
    expect(text).not.toMatch(/hush/)
  })
})
