import { count } from '../block-kit/amounts.ts'

/** A number with its noun, in the singular for one: `1 key`, `2,500 keys`. */
export function counted(amount: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${count(amount)} ${BigInt(amount) === 1n ? singular : plural}`
}
