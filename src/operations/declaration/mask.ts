import type { RawValues } from '../../shared/raw-values.ts'
import type { Fields } from './field.ts'

export const MASK = '••••'

/** Values with those of secret fields masked, for what is kept after a change has ended. */
export function maskSecrets(fields: Fields, values: RawValues): RawValues {
  const masked = Object.entries(values).map(
    ([name, raw]) => [name, fields[name]?.secret === true ? MASK : raw] as const,
  )
  return Object.fromEntries(masked)
}

export function holdsSecret(fields: Fields, values: RawValues): boolean {
  return Object.keys(values).some((name) => fields[name]?.secret === true)
}
