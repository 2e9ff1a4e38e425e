import { act } from './acts.js'
import { choose } from './forms.js'
import { placeBeside } from './lists.js'

/** What can be chosen; a note such as “No results” cannot. */
const OPTION = '[role="option"]:not([aria-disabled])'

let query = 0

/** Menus one types into, whose options the app is asked for. */
export function startComboboxes() {
  document.addEventListener('focusin', ({ target }) => {
    closeOthers(comboOf(target))
    // What is typed replaces what is chosen.
    if (comboOf(target) !== null) target.select()
  })
  // A press on a choice must leave the focus in the field: losing it closes the menu before the click.
  document.addEventListener('mousedown', (event) => event.target.closest('[role="listbox"]') && event.preventDefault())
  document.addEventListener('click', onClick)
  document.addEventListener('input', ({ target }) => comboOf(target) !== null && open(comboOf(target), target.value))
  document.addEventListener('keydown', onKey)
  document.addEventListener('scroll', ({ target }) => target.matches?.('.list') || placeOpen(), true)
}

function placeOpen() {
  const combo = document.querySelector('.combo[data-open="yes"]')
  if (combo !== null) placeBeside(list(combo), field(combo))
}

function closeOthers(combo) {
  for (const other of document.querySelectorAll('.combo[data-open="yes"]')) if (other !== combo) close(other)
}

function onClick({ target }) {
  const combo = target.closest('[data-combo]')
  closeOthers(combo)
  const option = target.closest(OPTION)
  if (combo === null) return
  if (option !== null) take(combo, option)
  else if (target.closest('[data-clear]') !== null) tell(combo, '')
  else if (comboOf(target) !== null) {
    target.select()
    open(combo, '')
  }
}

function onKey(event) {
  const { target, key } = event
  const combo = comboOf(target)
  if (combo === null) return
  const isOpen = combo.dataset.open === 'yes'
  const options = optionsOf(combo)
  const at = options.findIndex((option) => option.id === target.getAttribute('aria-activedescendant'))
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (!isOpen) open(combo, '')
    else mark(combo, options.at((at + (key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1)) % options.length))
  } else if (key === 'Enter' && isOpen) {
    // What the app was asked for is taken as soon as it is there.
    if (combo.dataset.asking === 'yes') combo.dataset.takes = 'yes'
    else if (options.length > 0) take(combo, options[Math.max(at, 0)])
  } else if (key === 'Escape' && isOpen) close(combo)
  else return
  event.preventDefault()
  event.stopPropagation()
}

function open(combo, typed) {
  combo.dataset.open = 'yes'
  field(combo).setAttribute('aria-expanded', 'true')
  list(combo).showPopover()
  void ask(combo, typed)
  placeOpen()
}

/** Puts everything back as it was before the menu was opened. */
function close(combo) {
  combo.dataset.open = 'no'
  const input = field(combo)
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
  input.value = input.dataset.shown
  list(combo).hidePopover()
}

async function ask(combo, typed) {
  const { block, action } = combo.dataset
  query += 1
  const own = query
  combo.dataset.asking = 'yes'
  delete combo.dataset.takes
  if (list(combo).children.length === 0) note(combo, 'Loading…')
  const answer = await act({ do: 'suggest', block, action, query: typed }, { quiet: true })
  if (own !== query || combo.dataset.open !== 'yes') return
  combo.dataset.asking = 'no'
  if (!answer.ok) return note(combo, answer.shown)
  if (answer.options.length === 0) return note(combo, 'No results')
  list(combo).replaceChildren(...answer.options.map((option, index) => optionElement(combo, option, index)))
  mark(combo, optionsOf(combo)[0])
  placeOpen()
  if (combo.dataset.takes === 'yes') take(combo, optionsOf(combo)[0])
}

function optionElement(combo, { value, text, description }, index) {
  const option = document.createElement('li')
  option.role = 'option'
  option.id = `${combo.id}-${index}`
  option.dataset.value = value
  option.ariaSelected = 'false'
  option.textContent = text
  if (description !== undefined)
    option.append(Object.assign(document.createElement('small'), { textContent: description }))
  return option
}

function note(combo, words) {
  const line = Object.assign(document.createElement('li'), { className: 'quiet', textContent: words })
  line.role = 'option'
  line.ariaDisabled = 'true'
  list(combo).replaceChildren(line)
}

function take(combo, option) {
  field(combo).dataset.shown = option.firstChild.textContent
  tell(combo, option.dataset.value)
}

function tell(combo, entry) {
  close(combo)
  void choose(combo, entry)
}

/** Shows which choice the keys are at, while the focus stays in the field. */
function mark(combo, option) {
  for (const other of list(combo).querySelectorAll('.active')) other.classList.remove('active')
  option?.classList.add('active')
  option?.scrollIntoView({ block: 'nearest' })
  if (option === undefined) field(combo).removeAttribute('aria-activedescendant')
  else field(combo).setAttribute('aria-activedescendant', option.id)
}

function optionsOf(combo) {
  return [...list(combo).querySelectorAll(OPTION)]
}

function comboOf(target) {
  return target.matches?.('.combo input[role="combobox"]') ? target.closest('[data-combo]') : null
}

function field(combo) {
  return combo.querySelector('input')
}

function list(combo) {
  return combo.querySelector('[role="listbox"]')
}
