import type { Field } from '../field.ts'
import type { RawValue } from '../../shared/raw-values.ts'
import { custom, type FieldText, problem } from '../fields.ts'

/** A variable for the script behind a record. The value may be a secret: it is never shown again. */
export interface Variable {
  readonly name: string
  readonly value: string
}

const MAX_VARIABLES = 50
const MAX_CHARACTERS = 3_000
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/**
 * Environment variables, one `NAME=value` a line; the value may hold further equal signs, or nothing. No sentence
 * about a mistake quotes a line, since lines hold secrets.
 */
export function variables(options: FieldText): Field<readonly Variable[], false> {
  return custom<readonly Variable[]>({
    ...options,
    control: { kind: 'text', maxLength: MAX_CHARACTERS, multiline: true, word: 'NAME=value' },
    secret: true,
    read(raw) {
      const lines = linesOf(raw)
      if (lines.reduce((sum, line) => sum + line.length + 1, 0) > MAX_CHARACTERS + 1) {
        return problem(`${options.label} may have at most ${MAX_CHARACTERS} characters in all.`)
      }
      const found = new Map<string, Variable>()
      for (const [index, line] of lines.entries()) {
        if (line.trim() === '') continue
        const variable = readLine(line)
        if (variable === undefined) {
          return problem(
            `Line ${index + 1} of ${options.label} is not NAME=value, with a name of letters, digits and _ that does not begin with a digit.`,
          )
        }
        if (found.has(variable.name)) return problem(`${options.label} has ${variable.name} twice.`)
        found.set(variable.name, variable)
      }
      if (found.size > MAX_VARIABLES) return problem(`${options.label} may be at most ${MAX_VARIABLES}.`)
      return { ok: true, value: [...found.values()] }
    },
  })
}

function linesOf(raw: RawValue): readonly string[] {
  const texts = typeof raw === 'string' ? [raw] : raw
  return texts.flatMap((text) => text.split(/\r\n|\r|\n/))
}

function readLine(line: string): Variable | undefined {
  const at = line.indexOf('=')
  if (at === -1) return undefined
  const name = line.slice(0, at).trim()
  return NAME.test(name) ? { name, value: line.slice(at + 1) } : undefined
}
