import { describe, expect, it } from 'vitest'
import { findDumpOptions } from '../../src/start.ts'

describe('what would write memory into a file', () => {
  it.each([
    '--report-on-fatalerror',
    '--report-on-signal',
    '--report-uncaught-exception',
    '--report_uncaught_exception',
    '--heapsnapshot-signal=SIGUSR2',
    '--heapsnapshot-near-heap-limit=3',
    '--heap-prof',
    '--inspect=127.0.0.1:9229',
    '--inspect-brk',
    '--abort-on-uncaught-exception',
    '--tls-keylog=/tmp/keys',
  ])('is seen: %s', (option) => {
    const name = (option.split('=')[0] ?? '').replaceAll('_', '-')
    expect(findDumpOptions([option], {})).toEqual([name])
    expect(findDumpOptions([], { NODE_OPTIONS: `--max-old-space-size=512 "${option}"` })).toEqual([
      `${name} in NODE_OPTIONS`,
    ])
  })

  it.each(['NODE_DEBUG', 'NODE_DEBUG_NATIVE', 'SSLKEYLOGFILE'])('is seen: the variable %s', (name) => {
    expect(findDumpOptions([], { [name]: 'http' })).toEqual([name])
    expect(findDumpOptions([], { [name]: '' })).toEqual([])
  })

  it('is nothing else', () => {
    const usual = ['--max-old-space-size=512', '--enable-source-maps', '--import=./x.mjs', '--no-warnings']
    expect(findDumpOptions(usual, { NODE_OPTIONS: usual.join(' '), NODE_ENV: 'production' })).toEqual([])
  })
})
