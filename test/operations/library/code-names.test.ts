import { expect, test } from 'vitest'
import { TRANSCRIBING_LANGUAGES } from '../../../src/cdn/contract/dialect.ts'
import { CAPTION_LANGUAGES, REGIONS } from '../../../src/operations/library/library-fields.ts'

test('56 caption languages are offered, each by its name, in order of names', () => {
  expect(CAPTION_LANGUAGES).toHaveLength(56)
  const names = CAPTION_LANGUAGES.map(({ label }) => label)
  expect(new Set(names).size).toBe(56)
  expect(names.toSorted((one, other) => one.localeCompare(other, 'en'))).toEqual(names)
  const known = new Intl.DisplayNames('en', { type: 'language' })
  expect(names).toEqual(CAPTION_LANGUAGES.map(({ value }) => known.of(value)))
  expect(CAPTION_LANGUAGES.map(({ value }) => value).toSorted()).toEqual(TRANSCRIBING_LANGUAGES.toSorted())
})

test('eight replication regions are offered with their codes, and the main region is not', () => {
  expect(REGIONS).toHaveLength(8)
  expect(REGIONS.every(({ value, label }) => label.endsWith(` (${value})`))).toBe(true)
  expect(REGIONS.map(({ value }) => value)).not.toContain('DE')
})
