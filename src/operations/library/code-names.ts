import { REPLICATION_REGIONS, TRANSCRIBING_LANGUAGES } from '../../cdn/dialect.ts'
import type { Choice } from '../field.ts'

/** Where the regions are. A region that is not here is shown by its code alone. */
const REGION_PLACES: Readonly<Record<string, string>> = {
  UK: 'London',
  SE: 'Stockholm',
  NY: 'New York',
  LA: 'Los Angeles',
  SG: 'Singapore',
  SYD: 'Sydney',
  BR: 'São Paulo',
  JH: 'Johannesburg',
}

/** Every region that can hold a replica; the main region is none and is not offered. */
export const REGIONS: readonly Choice[] = REPLICATION_REGIONS.map((value) => {
  const place = REGION_PLACES[value]
  return { value, label: place === undefined ? value : `${place} (${value})` }
})

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** Every language captions can be transcribed to, by its English name. */
export const CAPTION_LANGUAGES: readonly Choice[] = TRANSCRIBING_LANGUAGES.map((value) => ({
  value,
  label: languageNames.of(value) ?? value,
})).toSorted((one, other) => one.label.localeCompare(other.label, 'en'))

/** A region as people call it, with its code. */
export function regionLabel(code: string): string {
  return REGIONS.find(({ value }) => value === code)?.label ?? code
}

/** A language as people call it, with its code. */
export function languageLabel(code: string): string {
  const name = CAPTION_LANGUAGES.find(({ value }) => value === code)?.label
  return name === undefined ? code : `${name} (${code})`
}
