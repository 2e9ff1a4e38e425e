import { REPLICATION_REGIONS } from '../../cdn/dialect.ts'
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

/** In the order of the names. Written out, since the engine takes as long to find them as all other operations to load. */
const LANGUAGES =
  'Arabic ar, Armenian hy, Azerbaijani az, Belarusian be, Bosnian bs, Bulgarian bg, Catalan ca, Chinese zh, ' +
  'Croatian hr, Czech cs, Danish da, Dutch nl, English en, Estonian et, Filipino tl, Finnish fi, French fr, ' +
  'Galician gl, German de, Greek el, Hebrew he, Hindi hi, Hungarian hu, Icelandic is, Indonesian id, ' +
  'Italian it, Japanese ja, Kannada kn, Kazakh kk, Korean ko, Latvian lv, Lithuanian lt, Macedonian mk, ' +
  'Malay ms, Māori mi, Marathi mr, Nepali ne, Norwegian no, Persian fa, Polish pl, Portuguese pt, ' +
  'Romanian ro, Russian ru, Serbian sr, Slovak sk, Slovenian sl, Spanish es, Swahili sw, Swedish sv, ' +
  'Tamil ta, Thai th, Turkish tr, Ukrainian uk, Urdu ur, Vietnamese vi, Welsh cy'

/** Every language captions can be transcribed to, by its English name. */
export const CAPTION_LANGUAGES: readonly Choice[] = LANGUAGES.split(', ').map((entry) => {
  const [label = '', value = ''] = entry.split(' ')
  return { value, label }
})

/** A region as people call it, with its code. */
export function regionLabel(code: string): string {
  return REGIONS.find(({ value }) => value === code)?.label ?? code
}

/** A language as people call it, with its code. */
export function languageLabel(code: string): string {
  const name = CAPTION_LANGUAGES.find(({ value }) => value === code)?.label
  return name === undefined ? code : `${name} (${code})`
}
