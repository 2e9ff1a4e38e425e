import { cut } from '../../block-kit/plain-text.ts'
import * as inputs from '../../block-kit/inputs.ts'
import { CHECK_OPTIONS, SELECT_OPTIONS } from '../../block-kit/limits.ts'
import type { Field, NamedZone } from '../../operations/declaration/field.ts'
import { ZONE_KINDS, type ZoneKind } from '../../store/schema/tables.ts'
import type { RawValue } from '../../shared/raw-values.ts'
import { many, one, readId, readSwitch } from '../../operations/declaration/fields.ts'
import { valueNamed } from '../../operations/declaration/choice-field.ts'
import { MAX_ZONE_LIST_CHARACTERS, zonesNamed } from '../../operations/declaration/zone-field.ts'
import { unreachable } from '../../shared/errors.ts'

/** The values of a tri-state's radio buttons; `default` stands for leaving the field to the platform. */
const TRI_STATES: readonly inputs.Choice[] = [
  { value: 'default', label: 'CDN default' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
]

/**
 * The input of a form for a field, filled in with what was given so far. Its `block_id` depends on the field alone, so
 * that Slack keeps what is being typed when the view is redrawn.
 */
export function fieldInput(
  name: string,
  field: Field,
  current: RawValue | undefined,
  zones: readonly NamedZone[],
  redraws: boolean,
) {
  const { control } = field
  const options: inputs.FieldOptions = {
    // A zone's menu asks for options without naming its operation, so its `block_id` carries the kind of zone.
    blockId: control.kind === 'zone' && control.several !== true ? `${name}:${control.zoneKind}` : name,
    label: field.label,
    hint: field.hint,
    optional: !field.required,
    dispatch: redraws,
  }
  if (field.secret && current !== undefined && control.kind === 'text') {
    // What is secret is not shown again, not even to who typed it: empty, the input stands for the value it has.
    const { maxLength, multiline } = control
    const placeholder = 'Already given and not shown. Leave this empty to keep it, or type it anew.'
    return shown(inputs.textInput({ ...options, optional: true, maxLength, multiline, placeholder }))
  }
  const typed = current === undefined ? '' : one(current).trim()
  switch (control.kind) {
    case 'text': {
      const whole =
        current === undefined || typeof current === 'string' ? current : current.join(control.multiline ? '\n' : ', ')
      return shown(inputs.textInput({ ...options, ...control, initial: whole }))
    }
    case 'number': {
      const { decimal: decimals, min, max } = control
      const block = inputs.numberInput({ ...options, decimals, min, max, initial: typed || undefined })
      return shown(block, typed === '' || 'initial_value' in block.element)
    }
    case 'switch': {
      const choices = [{ value: 'true', label: 'Yes' }]
      return shown(
        inputs.someOf('checkboxes', { ...options, choices, initial: readSwitch(typed) === true ? ['true'] : [] }),
      )
    }
    case 'tri-state': {
      const isOn = readSwitch(typed)
      const state = isOn === undefined ? 'default' : isOn ? 'on' : 'off'
      return shown(inputs.oneOf('radio_buttons', { ...options, choices: TRI_STATES, initial: state }))
    }
    case 'choice': {
      const value = valueNamed(typed, control.choices)
      const block = inputs.oneOf('static_select', { ...options, choices: control.choices, initial: value })
      return shown(block, typed === '' || value !== undefined)
    }
    case 'choices': {
      const wanted = current === undefined ? [] : many(current)
      const values = wanted.flatMap((one) => valueNamed(one, control.choices) ?? [])
      const field = { ...options, choices: control.choices, initial: values }
      const type = control.choices.length <= CHECK_OPTIONS ? 'checkboxes' : 'multi_static_select'
      return shown(inputs.someOf(type, field), values.length === wanted.length)
    }
    case 'zone': {
      if (control.several === true) {
        const whole = current === undefined ? undefined : [current].flat().join(', ')
        return shown(
          inputs.textInput({ ...options, maxLength: MAX_ZONE_LIST_CHARACTERS, multiline: false, initial: whole }),
        )
      }
      const id = zoneIdOf(control.zoneKind, typed, zones)
      const placeholder = 'Name, or type the numeric id'
      const chosen = id === undefined ? undefined : zoneChoice(control.zoneKind, id, zones)
      const block = inputs.externalSelect({ ...options, placeholder, initial: chosen })
      return shown(block, typed === '' || id !== undefined)
    }
    default:
      return unreachable(control)
  }
}

export function fieldOfBlock(blockId: string): string {
  return blockId.split(':', 1)[0] ?? blockId
}

/** The kind of zone a menu's `block_id` asks for, or nothing when the block is not a zone's. */
export function zoneKindOfBlock(blockId: string): ZoneKind | undefined {
  return ZONE_KINDS.find((kind) => blockId.endsWith(`:${kind}`))
}

/** An input, and whether it shows what was given: where not, the view has to say that it is not there. */
function shown(block: inputs.InputBlock, isWhole = true) {
  return { block, shown: isWhole }
}

function zoneIdOf(kind: ZoneKind, typed: string, zones: readonly NamedZone[]): string | undefined {
  const id = readId(typed)
  if (id !== undefined) return String(id)
  return zonesNamed(typed, zones).find((zone) => zone.kind === kind)?.zoneId
}

/**
 * What a zone menu offers for what was typed into it: zones whose name holds it, those beginning with it first, and
 * zones whose id begins with it. An id nobody has named is offered as `Zone 12345`, so every zone can be chosen.
 */
export function zoneOptions(kind: ZoneKind, query: string, zones: readonly NamedZone[]): readonly inputs.Option[] {
  const typed = query.trim().toLowerCase()
  const named = groupById(kind, zones)
  const matches = [...named]
    .map(([zoneId, names]) => ({ zoneId, names, rank: rankZone(typed, zoneId, names) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.rank - b.rank || (a.names[0] ?? '').localeCompare(b.names[0] ?? ''))
    .map(({ zoneId }) => zoneChoice(kind, zoneId, zones))
  const id = readId(typed)
  const unnamed = id !== undefined && !named.has(String(id)) ? [zoneChoice(kind, String(id), zones)] : []
  return [...unnamed, ...matches].slice(0, SELECT_OPTIONS).map(inputs.option)
}

/** The one way a zone is written in a menu, which an initial option must match to the letter. */
export function zoneChoice(kind: ZoneKind, zoneId: string, zones: readonly NamedZone[]): inputs.Choice {
  const names = groupById(kind, zones).get(zoneId)?.join(', ')
  return {
    value: zoneId,
    label: names === undefined ? `Zone ${zoneId}` : `${cut(names, MAX_NAMES_CHARACTERS)} (${zoneId})`,
  }
}

/** Keeps the id readable when the names beside it are long. */
const MAX_NAMES_CHARACTERS = 50

/** A zone may have several names; in a menu each zone stands once, as option values must differ. */
function groupById(kind: ZoneKind, zones: readonly NamedZone[]): ReadonlyMap<string, readonly string[]> {
  const ofKind = zones.filter((zone) => zone.kind === kind)
  const byId = Map.groupBy(ofKind, ({ zoneId }) => zoneId)
  return new Map([...byId].map(([zoneId, named]) => [zoneId, named.map(({ name }) => name)]))
}

function rankZone(typed: string, zoneId: string, names: readonly string[]): number {
  const lower = names.map((name) => name.toLowerCase())
  if (typed === zoneId || lower.includes(typed)) return 0
  if (lower.some((name) => name.startsWith(typed))) return 1
  if (lower.some((name) => name.includes(typed))) return 2
  return zoneId.startsWith(typed) ? 3 : Number.POSITIVE_INFINITY
}
