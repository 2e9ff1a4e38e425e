import type { Choice } from '../../block-kit/inputs.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import { unreachable } from '../../shared/errors.ts'
import type { Field, FieldControl, NamedZone } from './field.ts'
import type { Operation } from './operation.ts'

/** More flags than this are left to the help of the operation. */
const MAX_USAGE_FLAGS = 5
const MAX_LISTED_CHOICES = 16
/** A list of choices is written out where it is no longer than this. */
const MAX_CHOICE_CHARACTERS = 24

/**
 * How an operation is typed, without the command: `<must be given>`, `[may be given]`, `…` for further options:
 * `storage stats <storage-zone> [--since <time>] [--csv]`.
 */
export function usageLine(operation: Operation): string {
  const flags = flagsOf(operation)
  const shown = flags.length > MAX_USAGE_FLAGS ? flags.slice(0, MAX_USAGE_FLAGS - 1) : flags
  const typed = shown.map(([name, field]) => (field.required ? typedFlag(name, field) : `[${typedFlag(name, field)}]`))
  return [...withoutFlags(operation), ...typed, ...(shown.length < flags.length ? ['…'] : [])].join(' ')
}

/** The shortest that still tells how it is typed: what stands without a flag, and `…` where there are options. */
export function shortUsage(operation: Operation): string {
  return [...withoutFlags(operation), ...(flagsOf(operation).length > 0 ? ['…'] : [])].join(' ')
}

function withoutFlags(operation: Operation): readonly string[] {
  return [operation.name, ...operation.positionals({}).map((name) => positional(name, operation.fields[name]))]
}

function flagsOf(operation: Operation): readonly (readonly [string, Field])[] {
  return Object.entries(operation.fields).filter(([name]) => !operation.positionals({}).includes(name))
}

/** The plainest example there is, without options but for switches, as `exampleWith` words it. */
export function plainExample(operation: Operation, zones: readonly NamedZone[]): string {
  const { name, examples, fields } = operation
  const isAboutZone = fields[operation.positionals({})[0] ?? '']?.control.kind === 'zone'
  const example = examples.find((each) => !isAboutZone || each.startsWith(`${name} `)) ?? name
  const [words, ...flags] = example.split(' --')
  const switches = flags.filter((flag) => fields[flag]?.control.kind === 'switch')
  return exampleWith(zones, operation, [words, ...switches].join(' --'))
}

/** The zones that examples are declared with. */
const EXAMPLE_ZONE = /(?<= )(?:101|201|30[12]|shop)(?=,| |$)/g

/** An example with the names of zones that there are, so that it works as it stands; with a placeholder where there is none. */
export function exampleWith(zones: readonly NamedZone[], { fields }: Operation, example: string): string {
  const [own] = Object.values(fields).flatMap(({ control }) =>
    control.kind === 'zone' ? control.zoneKind : control.kind === 'text' && control.word === 'zone' ? 'pull' : [],
  )
  // Each zone of an example is another one, as far as there are others.
  const left = [...zones]
  return example.replace(EXAMPLE_ZONE, (word: string, at: number) => {
    if (own === undefined) return word
    const kind = example.slice(0, at).includes(' PullZone ') ? 'pull' : own
    const found = left.findIndex((zone) => zone.kind === kind)
    return left.splice(found, found < 0 ? 0 : 1)[0]?.name ?? `<${kind}-zone>`
  })
}

/** Every option of an operation, in the order of its declaration; those typed without a flag can be flags as well. */
export function optionUsages({ fields }: Operation) {
  return Object.entries(fields).map(([name, field]) => ({
    typed: typedFlag(name, field),
    label: field.label,
    required: field.required,
    rule: [field.hint, choiceRule(field.control)].filter((part) => part !== undefined).join(' '),
  }))
}

function positional(name: string, field: Field | undefined): string {
  const word = positionalWord(flagName(name).slice(2), field?.control)
  return field?.required === true ? `<${word}>` : `[${word}]`
}

function positionalWord(name: string, control: FieldControl | undefined): string {
  if (control?.kind === 'zone') return zoneWord(control)
  const all = control?.kind === 'choice' ? control.choices.map(({ value }) => value).join('|') : ''
  return all !== '' && all.length <= MAX_CHOICE_CHARACTERS ? all : name
}

function zoneWord({ zoneKind, several }: Extract<FieldControl, { kind: 'zone' }>): string {
  return `${zoneKind}-zone${several === true ? 's' : ''}`
}

function typedFlag(name: string, { control }: Field): string {
  const flag = flagName(name)
  switch (control.kind) {
    case 'switch':
      return flag
    case 'tri-state':
      return `--[no-]${flag.slice(2)}`
    case 'number':
      return `${flag} <number>`
    case 'choice':
      return `${flag} <${inShort(control.choices, '|')}>`
    case 'choices':
      return `${flag} <${inShort(control.choices, ',')}>`
    case 'zone':
      return `${flag} <${zoneWord(control)}>`
    case 'text':
      return `${flag} <${control.word ?? 'text'}>`
    default:
      return unreachable(control)
  }
}

/** All choices where they are few and short, else the first two. Of those that go together, two say enough. */
function inShort(choices: readonly Choice[], between: '|' | ','): string {
  const values = choices.map(({ value }) => value)
  const all = values.join(between)
  return between === '|' && all.length <= MAX_CHOICE_CHARACTERS
    ? all
    : [...values.slice(0, 2), ...(values.length > 2 ? ['…'] : [])].join(between)
}

function choiceRule(control: FieldControl): string | undefined {
  if (control.kind !== 'choice' && control.kind !== 'choices') return undefined
  const values = control.choices.map(({ value }) => value)
  return `${control.kind === 'choice' ? 'One' : 'Any'} of: ${listFew(values, MAX_LISTED_CHOICES)}.`
}

export function flagName(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
  return `--${words.toLowerCase()}`
}
