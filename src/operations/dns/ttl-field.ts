import type { Field } from '../field.ts'
import { custom, type FieldText, one, problem } from '../fields.ts'

const MAX_SECONDS = 2_147_483_647
const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
const TYPED = /^(\d{1,10})\s*([smhdw]?)$/i

/** How long an answer may be kept, in whole seconds; typed as seconds or with a unit, such as `5m`. */
export function ttl(options: FieldText): Field<number, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: 12, multiline: false, word: 'seconds|5m' },
    read(raw) {
      const [, amount, unit = ''] = TYPED.exec(one(raw).trim()) ?? []
      const seconds = Number(amount) * (UNIT_SECONDS[unit.toLowerCase()] ?? Number.NaN)
      if (seconds <= MAX_SECONDS) return { ok: true, value: seconds }
      return problem(`${options.label} is a number of seconds up to ${MAX_SECONDS}, or a time such as 5m, 1h or 1d.`)
    },
  })
}

/** Seconds with the same in larger units: `3600 seconds (1h)`. */
export function ttlWords(seconds: number): string {
  const units = Object.entries(UNIT_SECONDS).filter(([unit]) => unit !== '' && unit !== 's')
  const largest = units.findLast(([, size]) => seconds > 0 && seconds % size === 0)
  const said = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return largest === undefined ? said : `${said} (${seconds / largest[1]}${largest[0]})`
}
