import { describe, expect, it } from 'vitest'
import { sourceFiles } from '../../support/source-imports.ts'
import { startBot } from '../../support/bot.ts'

const SOURCES = new URL('../../../src/', import.meta.url).pathname

describe('the process', () => {
  it.each([
    ['NODE_OPTIONS', '--report-on-fatalerror --report-uncaught-exception', '--report-on-fatalerror in NODE_OPTIONS'],
    ['NODE_OPTIONS', '--heapsnapshot-signal=SIGUSR2', '--heapsnapshot-signal in NODE_OPTIONS'],
    ['NODE_DEBUG', 'http', 'NODE_DEBUG'],
  ])('does not start where %s would write down its memory: %s', async (name, value, told) => {
    const secrets = { SLACK_BOT_TOKEN: 'xoxb-canary-of-the-process', CDN_API_KEY: 'canary-key-of-the-process' }
    const bot = startBot({ ...secrets, [name]: value })
    expect(await bot.ended).toEqual({ code: 78, signal: null })
    expect(bot.errors()).toContain(told)
    expect(bot.output() + bot.errors()).not.toContain('canary')
  })

  it('starts no other process and no thread, and writes no report: nothing of its environment is handed on', () => {
    const files = sourceFiles(SOURCES)
    expect(files.length).toBeGreaterThan(100)
    const handsOn = /'(node:)?(child_process|worker_threads|cluster|inspector|v8)'|process\.report|writeHeapSnapshot/
    expect(files.filter(({ code }) => handsOn.test(code)).map(({ path }) => path)).toEqual([])
  })
})
