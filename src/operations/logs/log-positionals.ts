import { CACHE_STATUSES } from '../../cdn/enums.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { many, one } from '../fields.ts'
import { ALL_STATUSES, cacheWord } from './log-fields.ts'

/** What people put after the zone without a flag, told apart by how it looks: `logs shop 5xx 2h`, `logs shop miss`. */
const LOOKS = { since: isTime, status: isStatus, cache: isCache } as const
type Short = keyof typeof LOOKS

/** The zone alone, and after it whatever the words look like; a word that looks like nothing finds no place. */
export function logPositionals(values: RawValues): readonly ('pullZone' | Short)[] {
  if (values['pullZone'] === undefined) return ['pullZone']
  const fits = (name: Short): boolean => {
    const given = values[name]
    return given === undefined || LOOKS[name](one(given))
  }
  // The last is a list, so that none of them takes the rest of the line.
  return ['pullZone', ...(['since', 'status', 'cache'] as const).filter(fits)]
}

function isTime(typed: string): boolean {
  return /^\d+(?:\.\d+)?(?:m|h|d)$/i.test(typed) || /^\d{1,2}:\d{2}$/.test(typed) || /^\d{4}-\d{2}-\d{2}/.test(typed)
}

function isStatus(typed: string): boolean {
  const codes = many(typed)
  return codes.length > 0 && codes.every((code) => /^[1-5](?:xx|\d\d)$/i.test(code))
}

const CACHE_WORDS: ReadonlySet<string> = new Set(
  [...Object.keys(CACHE_STATUSES).map(cacheWord), ALL_STATUSES].map((word) => word.toLowerCase()),
)

function isCache(typed: string): boolean {
  const words = many(typed)
  return words.length > 0 && words.every((word) => CACHE_WORDS.has(word.toLowerCase()))
}
