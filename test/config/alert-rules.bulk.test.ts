import { expect, it } from 'vitest'
import { ConfigurationError, parseConfig } from '../../src/config/config-file.ts'

const parse = (rules: readonly string[]) => parseConfig(`alerts: {rules: [${rules.join(', ')}]}`).alertRules

it('alert rules of the configuration file are no more than a thousand as they are written, and two thousand as they are built', () => {
  const written = (count: number) =>
    Array.from({ length: count }, (_, id) => `{kind: storage-change, storageZone: ${id + 1}, channel: C01}`)
  expect(parse(written(1_000))).toHaveLength(1_000)
  expect(() => parse(written(1_001))).toThrow(
    new ConfigurationError(['alerts.rules (line 1) has more than 1000 rules.']),
  )
  const watching = Array.from({ length: 501 }, (_, id) => `{watch: 301, channel: C${1_000 + id}}`)
  expect(() => parse(watching)).toThrow(new ConfigurationError(['alerts.rules (line 1) makes more than 2000 rules.']))
})
