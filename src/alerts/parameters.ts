import { count } from '../block-kit/amounts.ts'
import type { AlertKind, Parameter, ParameterName, Parameters } from './alert-kind.ts'

/** Values of a kind's parameters: what a rule sets, and the kind's own defaults for the rest. Names it has not are left out. */
export function parametersOf(kind: AlertKind, overrides: Readonly<Record<string, number>>): Parameters {
  return Object.fromEntries(kind.parameters.map(({ name, default: usual }) => [name, overrides[name] ?? usual]))
}

/**
 * What is wrong with values for a kind, as sentences for people; empty when nothing is. Bounds and names are each kind's
 * own, and a critical threshold never lies before the one for a warning.
 */
export function parameterProblems(kind: AlertKind, overrides: Readonly<Record<string, number>>): readonly string[] {
  const problems = Object.entries(overrides).flatMap(([name, value]) => {
    const parameter = kind.parameters.find((each) => each.name === name)
    if (parameter === undefined) return [`${kind.name} has no parameter ${name}. It has: ${namesOf(kind)}.`]
    const { min, max } = parameter
    if (Number.isFinite(value) && value >= min && value <= max) return []
    return [`${name} of ${kind.name} is from ${amount(min, parameter)} to ${amount(max, parameter)}.`]
  })
  return problems.length > 0 ? problems : orderProblems(kind, overrides)
}

/** Pairs of thresholds and the way back: who goes beyond whom follows from the kind's own defaults. */
const ORDERED: readonly (readonly [ParameterName, ParameterName])[] = [
  ['critical', 'warning'],
  ['also-critical', 'also-warning'],
]

function orderProblems(kind: AlertKind, overrides: Readonly<Record<string, number>>): readonly string[] {
  const values = parametersOf(kind, overrides)
  const defaults = parametersOf(kind, {})
  return ORDERED.flatMap(([far, near]) => {
    const [a, b, usualA, usualB] = [values[far], values[near], defaults[far], defaults[near]]
    if (a === undefined || b === undefined || usualA === undefined || usualB === undefined) return []
    const upwards = usualA > usualB
    if (upwards ? a >= b : a <= b) return []
    return [
      `${far} of ${kind.name} has to be at ${upwards ? 'least' : 'most'} ${near}: ${a} and ${b} do not go together.`,
    ]
  })
}

function namesOf({ parameters }: AlertKind): string {
  return parameters.length === 0 ? 'none' : parameters.map(({ name }) => name).join(', ')
}

function amount(value: number, { unit }: Parameter): string {
  return `${count(value)} ${unit}`
}

/** Every value of one kind by its name: what a rule sets, otherwise the default. */
export function settingsOf<Name extends ParameterName>(
  declared: readonly (Parameter & { readonly name: Name })[],
): (parameters: Parameters) => Readonly<Record<Name, number>> {
  return (parameters) => {
    const values = declared.map(({ name, default: usual }) => [name, parameters[name] ?? usual])
    // Each name that can be asked for is among those declared.
    return Object.fromEntries(values) as Record<Name, number>
  }
}

/** A parameter of which the name is known, so that nobody can ask a kind for one it has not. */
type Named<Name extends ParameterName> = Parameter & { readonly name: Name }

interface Bounds {
  readonly unit: Parameter['unit']
  readonly usual: number
  readonly min?: number
  readonly max: number
  readonly meaning: string
}

export function warningAt(bounds: Bounds): Named<'warning'> {
  return threshold('warning', 'Warning', bounds)
}

export function criticalAt(bounds: Bounds): Named<'critical'> {
  return threshold('critical', 'Critical', bounds)
}

export function threshold<Name extends ParameterName>(
  name: Name,
  label: string,
  { unit, usual, min = 0, max, meaning }: Bounds,
): Named<Name> {
  return { name, label, meaning, unit, default: usual, min, max }
}
