import { act } from './acts.js'
import { announce } from './toasts.js'

const MAX_HISTORY = 100
const history = []
let at = 0

/** The field to type into: sending, earlier lines on the arrow key, and what can follow a slash. */
export function startComposer() {
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.target.matches('[data-composer]')) send(event.target)
  })
  document.addEventListener('input', ({ target }) => {
    if (!isComposer(target)) return
    at = history.length
    fit(target)
    complete(target)
  })
  document.addEventListener('keydown', onKey)
  document.addEventListener('click', ({ target }) => {
    const option = target.closest('#completions [role="option"]')
    if (option !== null) accept(document.querySelector('#say'), option)
    else if (!isComposer(target)) hide()
  })
}

function onKey(event) {
  const { target, key } = event
  if (!isComposer(target) || event.isComposing) return
  const options = target.id === 'say' ? shown() : []
  const active = options.findIndex((option) => option.classList.contains('active'))
  if (key === 'Enter' && !event.shiftKey) {
    if (active >= 0) accept(target, options[active])
    else send(target.form)
  } else if (key === 'Tab' && options.length > 0 && !event.shiftKey) accept(target, options[Math.max(0, active)])
  else if (key === 'ArrowDown' && options.length > 0) mark(target, options, (active + 1) % options.length)
  else if (key === 'ArrowUp' && active >= 0) mark(target, options, active - 1)
  else if (key === 'ArrowUp' && (target.value === '' || at < history.length)) recall(target, -1)
  else if (key === 'ArrowDown' && at < history.length) recall(target, 1)
  else if (key === 'Escape' && options.length > 0) hide()
  else return
  event.preventDefault()
}

function send(form) {
  const field = form.querySelector('textarea')
  const text = field.value.trim()
  if (text === '') return
  if (history.at(-1) !== text) history.push(text)
  if (history.length > MAX_HISTORY) history.shift()
  at = history.length
  field.value = ''
  fit(field)
  hide()
  usage(field)
  const { channel, thread } = form.dataset
  void act({ do: 'say', channel, text, ...(thread === undefined ? {} : { thread }) }, { busy: form })
}

function recall(field, by) {
  at = Math.min(Math.max(at + by, 0), history.length)
  field.value = history[at] ?? ''
  fit(field)
  hide()
  usage(field)
}

/** Shows what begins with what is typed; once a command is typed out, how it goes on. */
function complete(field) {
  if (field.id !== 'say') return
  usage(field)
  const typed = field.value.toLowerCase()
  for (const option of document.querySelectorAll('#completions [role="option"]')) {
    const { insert } = option.dataset
    option.hidden = !(insert.startsWith(typed) && insert.length > typed.length)
    option.classList.remove('active')
  }
  const isOpen = typed.startsWith('/') && shown(true).length > 0
  document.querySelector('[data-completions]').hidden = !isOpen
  field.setAttribute('aria-expanded', String(isOpen))
  if (isOpen) announce(`${shown().length} commands to choose from`)
  field.removeAttribute('aria-activedescendant')
}

function usage(field) {
  const words = `${field.value.toLowerCase()} `
  const known = [...document.querySelectorAll('#completions [role="option"]')].filter(({ dataset }) =>
    words.startsWith(dataset.insert),
  )
  const best = known.toSorted((left, right) => right.dataset.insert.length - left.dataset.insert.length)[0]
  const hint = document.querySelector('[data-usage]')
  if (hint !== null) hint.textContent = best?.querySelector('.usage').textContent ?? ''
}

function accept(field, option) {
  field.value = option.dataset.insert
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
  fit(field)
  complete(field)
}

function mark(field, options, index) {
  for (const [each, option] of options.entries()) {
    option.classList.toggle('active', each === index)
    option.setAttribute('aria-selected', String(each === index))
  }
  if (index < 0) field.removeAttribute('aria-activedescendant')
  else field.setAttribute('aria-activedescendant', options[index].id)
  options[index]?.scrollIntoView({ block: 'nearest' })
}

function hide() {
  const list = document.querySelector('[data-completions]')
  if (list === null) return
  list.hidden = true
  const field = document.querySelector('#say')
  field?.setAttribute('aria-expanded', 'false')
  field?.removeAttribute('aria-activedescendant')
}

function shown(evenHidden = false) {
  const list = document.querySelector('[data-completions]')
  if (list === null || (list.hidden && !evenHidden)) return []
  return [...list.querySelectorAll('[role="option"]')].filter((option) => !option.hidden)
}

function fit(field) {
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, 160)}px`
}

function isComposer(target) {
  return target.matches?.('[data-composer] textarea') === true
}
