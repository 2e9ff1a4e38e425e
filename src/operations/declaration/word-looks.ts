import type { RawValues } from '../../shared/raw-values.ts'
import { one } from './fields.ts'

/**
 * Positionals that are told apart by how a word looks: `logs shop 5xx 2h`. The first alone, and after it whatever the words look
 * like; a word that looks like nothing finds no place.
 */
export function byLooks<Name extends string>(looks: Readonly<Record<Name, (typed: string) => boolean>>) {
  const all = Object.entries<(typed: string) => boolean>(looks) as [Name, (typed: string) => boolean][] // its very keys
  return (values: RawValues): readonly Name[] => {
    if (Object.keys(values).length === 0) return all.slice(0, 1).map(([name]) => name)
    const fits = ([name, looksSo]: (typeof all)[number]): boolean => looksSo(one(values[name] ?? ''))
    return all.filter((each) => values[each[0]] === undefined || fits(each)).map(([name]) => name)
  }
}

export function isLength(typed: string): boolean {
  return /^(?:\d+(?:\.\d+)?(?:m|min|h|d|w))+$/i.test(typed)
}

export function isClock(typed: string): boolean {
  return /^\d{1,2}:\d{2}$/.test(typed)
}

export function isTime(typed: string): boolean {
  return isLength(typed) || isClock(typed) || /^\d{4}-\d{2}-\d{2}/.test(typed)
}

export function isAnything(): boolean {
  return true
}
