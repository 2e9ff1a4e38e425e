import type { Fields, InputOf } from './field.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { CheckContext, Invocation, InvolvedZone, Issue, Operation, OperationDefinition } from './operation.ts'
import { atLeast, leastRole } from './role.ts'

/** Seals a definition: full types inside, none outside. */
export function defineOperation<F extends Fields, Output>(definition: OperationDefinition<F, Output>): Operation {
  const { positionals = [] } = definition
  const baseEffect = effectOf(definition, {})
  const minimumRole = definition.minimumRole ?? leastRole(baseEffect)
  const operation: Operation = {
    name: definition.name,
    aliases: definition.aliases ?? [],
    summary: definition.summary,
    question: definition.question,
    verb: definition.verb ?? 'Continue',
    minimumRole,
    baseEffect,
    effectVaries: typeof definition.effect === 'function',
    audience: definition.audience ?? 'caller',
    shareable: definition.shareable ?? false,
    undoable: definition.undoable ?? false,
    fields: definition.fields,
    positionals: typeof positionals === 'function' ? positionals : () => positionals,
    form: definition.form && [definition.form].flat(),
    current: async (context) => definition.current?.(context) ?? {},
    examples: definition.examples,
    parse(values, context) {
      const { input, issues } = readFields(definition.fields, values, context)
      const partial = input as Partial<InputOf<F>> // readFields fills it from the very fields F is made of
      const problems = [...issues, ...notSaidYet(issues, definition.check?.(partial, context) ?? [])]
      if (problems.length > 0) return { ok: false, issues: problems }
      return { ok: true, invocation: bind(definition, operation, values, input as InputOf<F>, context) }
    },
  }
  return operation
}

function bind<F extends Fields, Output>(
  definition: OperationDefinition<F, Output>,
  operation: Operation,
  values: RawValues,
  input: InputOf<F>,
  context: CheckContext,
): Invocation {
  const perform: Invocation['perform'] = async (running) => {
    const output = await definition.run(input, running)
    return () => definition.present(output, input, running)
  }
  const { minimumRole } = operation
  const roleForInput = definition.roleFor?.(input) ?? minimumRole
  return {
    operation,
    values,
    maskedValues: maskSecrets(definition.fields, values),
    canonical: canonical(definition.fields, input),
    effect: effectOf(definition, input),
    minimumRole: atLeast(minimumRole, roleForInput) ? minimumRole : roleForInput,
    zones: zonesIn(definition.fields, input),
    sentence: definition.describe(input),
    // Only who shows it needs it, and it takes two fifths of the time.
    get review() {
      return definition.review?.(input, context)
    },
    lookFor: definition.lookFor?.(input, context),
    perform,
    run: async (running) => (await perform(running))(),
  }
}

function effectOf<F extends Fields, Output>({ effect }: OperationDefinition<F, Output>, input: Partial<InputOf<F>>) {
  return typeof effect === 'function' ? effect(input) : effect
}

function zonesIn(fields: Fields, input: Readonly<Record<string, unknown>>): readonly InvolvedZone[] {
  return Object.entries(fields).flatMap(([name, { control }]) => {
    if (control.kind !== 'zone') return []
    return [idsIn(input[name])].flat().flatMap((id) => (typeof id === 'bigint' ? [{ kind: control.zoneKind, id }] : []))
  })
}

/** A value that could not be read is absent to the check, which must not call it missing as well. */
function notSaidYet(said: readonly Issue[], more: readonly Issue[]): readonly Issue[] {
  const fields = new Set(said.map(({ field }) => field))
  return more.filter(({ field, missing }) => missing !== true || !fields.has(field))
}

function readFields(fields: Fields, values: RawValues, context: CheckContext) {
  const input: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [name, field] of Object.entries(fields)) {
    const raw = values[name]
    if (raw === undefined || raw.length === 0) {
      if (!field.required) continue
      issues.push({ field: name, problem: `${field.label} is needed.`, missing: true })
      continue
    }
    const result = field.read(raw, context)
    if (result.ok) input[name] = result.value
    else issues.push({ field: name, problem: result.problem })
  }
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(fields, name)) issues.push({ field: undefined, problem: `There is no field ${name}.` })
  }
  return { input, issues }
}

/** Fields in order of their names, integers as digits, a zone as its id: what it is called does not matter here. */
function canonical(fields: Fields, input: Readonly<Record<string, unknown>>): string {
  const entries = Object.keys(input)
    .toSorted()
    .map((name) => [name, fields[name]?.control.kind === 'zone' ? idsIn(input[name]) : input[name]])
  return JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

function idsIn(value: unknown): unknown {
  return Array.isArray(value) ? value.map(idOf) : idOf(value)
}

function idOf(zone: unknown): unknown {
  return typeof zone === 'object' && zone !== null && 'id' in zone ? zone.id : zone
}

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
