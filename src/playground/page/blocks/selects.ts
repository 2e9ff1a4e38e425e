import type { Element } from '../../slack/block-rules/blocks.ts'
import type { ElementValue } from '../../slack/form-values.ts'
import { html, type Html } from '../html.ts'
import type { Names } from '../reader.ts'
import { chosenOptions } from './choices.ts'
import { confirmTemplate } from './confirm.ts'
import { address, naming, slotId, type Slot } from './slot.ts'

/** Every menu that one types into to find a choice. */
export type Select = Extract<Element, { type: `${string}_select` }>

interface Offer {
  readonly value: string
  readonly text: string
  readonly description?: string | undefined
  readonly group?: string
}

const MANY_FIELDS = ['selected_users', 'selected_channels', 'selected_conversations'] as const
const ONE_FIELDS = ['selected_user', 'selected_channel', 'selected_conversation'] as const

/**
 * A menu with a field to search in it. Fixed options are all there from the start; those that the app has to be asked
 * for are fetched when it is opened or typed into.
 */
export function selectHtml(element: Select, slot: Slot): Html {
  const id = slotId(slot)
  const isMany = element.type.startsWith('multi_')
  const isExternal = element.type === 'external_select' || element.type === 'multi_external_select'
  const chosen = chosenOffers(slot.held, slot.scene.reader.names)
  const shown = isMany ? '' : (chosen[0]?.text ?? '')
  const hint = element.placeholder?.text ?? (isMany ? 'Choose options' : 'Choose an option')
  const focus = element.focus_on_load === true ? html` data-focus` : ''
  const clearable = !isMany && slot.input?.optional === true && chosen.length > 0
  return html`<div class="combo${isMany ? ' combo-many' : ''}" data-combo="${isExternal ? 'external' : 'fixed'}" data-many="${isMany ? 'yes' : 'no'}" id="${id}c"${address(slot)}>${chips(isMany ? chosen : [])}<input type="text" role="combobox" class="field" id="${id}" aria-expanded="false" aria-controls="${id}l" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="${hint}" value="${shown}" data-shown="${shown}"${naming(slot, hint)}${focus}>${
    clearable ? html`<button type="button" class="combo-clear" data-clear aria-label="Clear the choice">×</button>` : ''
  }<span class="combo-arrow" aria-hidden="true"></span><ul role="listbox" class="combo-list" id="${id}l" aria-label="${hint}" hidden>${isExternal ? '' : offersHtml(offersOf(element, slot.scene.reader.names), id, chosen)}</ul>${confirmTemplate(element.confirm, slot)}</div>`
}

function chips(chosen: readonly Offer[]): Html {
  return html`${chosen.map(
    ({ value, text }) =>
      html`<span class="chip" data-chip="${value}">${text}<button type="button" data-unchoose="${value}" aria-label="Remove ${text}">×</button></span>`,
  )}`
}

function offersHtml(offers: readonly Offer[], id: string, chosen: readonly Offer[]): Html {
  const isChosen = (value: string): boolean => chosen.some((one) => one.value === value)
  return html`${offers.map(
    ({ value, text, description, group }, index) =>
      html`${group !== undefined && group !== offers[index - 1]?.group ? html`<li class="group" role="presentation">${group}</li>` : ''}<li role="option" id="${id}-${index}" data-value="${value}" aria-selected="${isChosen(value) ? 'true' : 'false'}">${text}${description === undefined ? '' : html`<small>${description}</small>`}</li>`,
  )}`
}

function offersOf(element: Select, names: Names): readonly Offer[] {
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select': {
      const groups = element.option_groups ?? [{ label: { text: undefined }, options: element.options ?? [] }]
      return groups.flatMap(({ label, options }) =>
        options.map(({ value, text, description }) => ({
          value,
          text: text.text,
          description: description?.text,
          ...(label.text === undefined ? {} : { group: label.text }),
        })),
      )
    }
    case 'users_select':
    case 'multi_users_select':
      return names.members.map(({ id, realName, name }) => ({ value: id, text: realName, description: `@${name}` }))
    case 'channels_select':
    case 'multi_channels_select':
      return channelOffers(names).filter(({ value }) => value.startsWith('C'))
    case 'conversations_select':
    case 'multi_conversations_select':
      return channelOffers(names)
    case 'external_select':
    case 'multi_external_select':
    default:
      return []
  }
}

function channelOffers({ channels }: Names): readonly Offer[] {
  return channels.map(({ id, name }) => ({ value: id, text: `#${name}` }))
}

function chosenOffers(held: ElementValue | undefined, names: Names): readonly Offer[] {
  const ids = [...MANY_FIELDS, ...ONE_FIELDS].flatMap((field) => {
    const value = held?.[field]
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.filter((each) => typeof each === 'string')
  })
  return [...chosenOptions(held), ...ids.map((id) => ({ value: id, text: nameOf(id, names) }))]
}

function nameOf(id: string, names: Names): string {
  return names.member(id)?.realName ?? `#${names.channel(id)}`
}
