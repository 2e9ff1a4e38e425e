import { act } from './acts.js'
import { follow } from './follow.js'

export function startComposer() {
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.target.matches('[data-composer]')) send(event.target)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key, shiftKey, isComposing } = event
    if (key !== 'Enter' || shiftKey || isComposing || !target.matches('[data-composer] textarea')) return
    event.preventDefault()
    send(target.form)
  })
  document.addEventListener('click', ({ target }) => {
    const example = target.closest('[data-example]')
    if (example !== null) write(document.querySelector('#say'), example.dataset.example)
  })
}

function send(form) {
  const field = form.querySelector('textarea')
  const text = field.value.trim()
  if (text === '') return
  write(field, '')
  const { channel, thread } = form.dataset
  follow(thread === undefined ? '#content' : '.thread-body')
  void act({ do: 'say', channel, text, ...(thread === undefined ? {} : { thread }) }, { busy: form })
}

function write(field, text) {
  field.value = text
  field.focus()
}
