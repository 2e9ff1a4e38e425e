import { act } from './acts.js'
import { follow } from './follow.js'

const MAX_HISTORY = 100
const MAX_HEIGHT_PX = 160
const history = []
let at = 0

/** The fields to write in: sending, earlier lines on the arrow key, and examples to begin with. */
export function startComposer() {
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.target.matches('[data-composer]')) send(event.target)
  })
  document.addEventListener('input', ({ target }) => {
    if (!isComposer(target)) return
    at = history.length
    fit(target)
  })
  document.addEventListener('keydown', onKey)
  document.addEventListener('click', ({ target }) => {
    const example = target.closest('[data-example]')
    if (example !== null) write(document.querySelector('#say'), example.dataset.example)
  })
}

function onKey(event) {
  const { target, key } = event
  if (!isComposer(target) || event.isComposing) return
  if (key === 'Enter' && !event.shiftKey) send(target.form)
  else if (key === 'ArrowUp' && (target.value === '' || at < history.length)) recall(target, -1)
  else if (key === 'ArrowDown' && at < history.length) recall(target, 1)
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
  const { channel, thread } = form.dataset
  follow(thread === undefined ? '#content' : '.thread-body')
  void act({ do: 'say', channel, text, ...(thread === undefined ? {} : { thread }) }, { busy: form })
}

function recall(field, by) {
  at = Math.min(Math.max(at + by, 0), history.length)
  field.value = history[at] ?? ''
  fit(field)
}

function write(field, text) {
  field.value = text
  field.focus()
  fit(field)
}

function fit(field) {
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, MAX_HEIGHT_PX)}px`
}

function isComposer(target) {
  return target.matches?.('[data-composer] textarea') === true
}
