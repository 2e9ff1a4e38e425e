import { inspect } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { redact, Secret } from '../../src/shared/secret.ts'

const VALUE = 'hush-hush-hush-key1'

describe('a secret', () => {
  it('is given out on request', () => {
    expect(new Secret(VALUE).reveal()).toBe(VALUE)
  })

  test.each<[string, (secret: Secret) => string]>([
    ['in a template', (secret) => String.raw({ raw: ['', ''] }, secret)],
    ['joined to a word', (secret) => ['key:', secret].join('')],
    ['as JSON', (secret) => JSON.stringify({ secret })],
    ['inspected', (secret) => inspect({ nested: { secret } })],
    ['inspected with all that is hidden', (secret) => inspect(secret, { showHidden: true, depth: 9 })],
    ['as its own properties', (secret) => JSON.stringify([Object.entries(secret), Object.assign({}, secret)])],
    ['in an error', (secret) => inspect(new Error(`no ${secret.toString()}`, { cause: { secret } }))],
  ])('shows at most its last four characters: %s', (_, show) => {
    const shown = show(new Secret(VALUE))
    expect(shown).not.toContain('hush')
  })

  it('tells the program’s own reader which one it is', () => {
    expect(inspect(new Secret(VALUE))).toBe('Secret(…key1)')
  })

  test.each([
    ['x'.repeat(16), '…xxxx'],
    ['x'.repeat(15), '…'],
    ['', '…'],
  ])('hides at least twelve characters, or all: %s', (value, shown) => {
    expect(redact(value)).toBe(shown)
  })
})
