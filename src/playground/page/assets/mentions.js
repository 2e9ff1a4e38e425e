import { isComposer } from './composer.js'
import { markOption, placeBeside } from './lists.js'

/** An @ at the beginning of a word, and what of a name stands behind it up to the caret. */
const BEGUN = /(?<=^|\s)@([\p{L}\d._-]*)$/u

/** The list of people and groups that opens where somebody types @ in a message, and gives the one that is picked its @name. */
export function startMentions() {
  document.addEventListener('input', ({ target }) => isComposer(target) && offer(target))
  document.addEventListener('focusout', ({ target }) => isComposer(target) && close(target))
  // Before the key sends the message, or leaves the field.
  document.addEventListener('keydown', onKey, true)
  document.addEventListener('click', ({ target }) => {
    const option = target.closest('#people [role="option"]')
    if (option !== null) take(document.activeElement, option)
  })
}

function onKey(event) {
  const { target, key } = event
  if (!isComposer(target) || list().dataset.open !== 'yes') return
  const options = visible()
  const at = options.findIndex((option) => option.matches('.active'))
  if (key === 'ArrowDown' || key === 'ArrowUp')
    markOption(list(), target, options.at((at + (key === 'ArrowDown' ? 1 : -1)) % options.length))
  else if ((key === 'Enter' || key === 'Tab') && !event.shiftKey) take(target, options[at])
  else if (key === 'Escape') close(target)
  else return
  event.preventDefault()
  event.stopPropagation()
}

function offer(field) {
  const wanted = begun(field)?.[1].toLowerCase()
  for (const option of list().children) {
    const words = option.textContent.toLowerCase().split(/[\s@]+/)
    option.hidden = !words.some((word) => word.startsWith(wanted))
  }
  const [first] = visible()
  if (first === undefined) return close(field)
  list().dataset.open = 'yes'
  list().showPopover()
  placeBeside(list(), field)
  markOption(list(), field, first)
}

function close(field) {
  list().dataset.open = 'no'
  list().hidePopover()
  markOption(list(), field, undefined)
}

function take(field, { dataset }) {
  const { index } = begun(field)
  close(field)
  field.setRangeText(`@${dataset.handle} `, index, field.selectionStart, 'end')
}

function begun({ value, selectionStart }) {
  return BEGUN.exec(value.slice(0, selectionStart))
}

function visible() {
  return [...list().children].filter(({ hidden }) => !hidden)
}

function list() {
  return document.querySelector('#people')
}
