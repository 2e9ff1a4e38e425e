import type { Parameter, ParameterName } from './alert-kind.ts'

/** A parameter of which the name is known, so that nobody can ask a kind for one it has not. */
export type Named<Name extends ParameterName> = Parameter & { readonly name: Name }

interface Bounds {
  readonly unit: Parameter['unit']
  readonly usual: number
  readonly min?: number
  readonly max: number
  /** A sentence. */
  readonly meaning: string
}

/** The threshold of a kind's milder severity. */
export function warningAt(bounds: Bounds): Named<'warning'> {
  return threshold('warning', 'Warning', bounds)
}

/** The threshold of a kind's graver severity. */
export function criticalAt(bounds: Bounds): Named<'critical'> {
  return threshold('critical', 'Critical', bounds)
}

/** A threshold, or another number, under any name. */
export function threshold<Name extends ParameterName>(
  name: Name,
  label: string,
  { unit, usual, min = 0, max, meaning }: Bounds,
): Named<Name> {
  return { name, label, meaning, unit, default: usual, min, max }
}
