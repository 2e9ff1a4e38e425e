import { act, actInTurn } from './acts.js'
import { confirmed } from './dialogs.js'
import { expectAnswer } from './follow.js'

/** By then what an answer says stands on the page. */
const DRAWN_WITHIN_MS = 250

export function startForms() {
  document.addEventListener('click', (event) => void onClick(event))
  document.addEventListener('change', onChange)
  document.addEventListener('input', ({ target }) => {
    if (target.matches('.field')) target.dataset.dirty = 'yes'
    if (target.matches('[data-search]')) void offer(target, target.value)
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!target.matches('[data-search]')) return
    // What is typed replaces what is chosen.
    target.select()
    void offer(target, '')
  })
  document.addEventListener('keydown', onKey)
}

let asked = 0

/** Lets the browser offer below a field what the app has for what is typed into it. */
async function offer({ dataset: { block, action } }, query) {
  asked += 1
  const own = asked
  const { options = [] } = await act({ do: 'suggest', block, action, query }, { quiet: true })
  if (own !== asked) return
  const elements = options.map(({ text }) => Object.assign(document.createElement('option'), { value: text.text }))
  document.querySelector('#offered').replaceChildren(...elements)
}

/** Takes what fits best of all that the app has for what was typed. */
async function pick(field) {
  const { block, action } = field.dataset
  delete field.dataset.dirty
  const given = { do: 'search', block, action, query: field.value, texts: typedTexts(field) }
  const { taken } = await actInTurn(given, { busy: field })
  if (field.dataset.dirty === undefined) field.value = taken ?? field.defaultValue
}

function choose(element, entry) {
  const { block } = element.dataset
  void actInTurn({ do: 'choose', block, entry, texts: typedTexts(element) }, { busy: element })
}

function targetOf(element) {
  const message = element.closest('[data-ts]')
  if (message !== null) return { message: { channel: message.dataset.channel, ts: message.dataset.ts } }
  return { view: { id: element.closest('[data-view]').dataset.view } }
}

async function submitForm() {
  const modal = document.querySelector('[data-modal]')
  const button = modal.querySelector('[data-act="submit"]')
  if (button === null || button.hasAttribute('aria-busy')) return
  modal.querySelector('[data-note]').textContent = ''
  expectAnswer()
  const answer = await actInTurn({ do: 'submit', texts: typedTexts(button) }, { busy: button })
  if (answer.inForm === true) setTimeout(focusFirstError, DRAWN_WITHIN_MS)
}

async function onClick(event) {
  const button = event.target.closest('[data-act]')
  if (button === null || button.hasAttribute('aria-busy')) return
  const { act: what, block, action, entry, shortcut } = button.dataset
  if (what === 'submit') return void submitForm()
  if (what === 'close') return void actInTurn({ do: 'close' })
  if (what === 'shortcut') return void act({ do: 'shortcut', id: shortcut })
  if (!(await confirmed(button))) return
  expectAnswer()
  const given = { do: 'click', target: targetOf(button), block, action, entry, texts: typedTexts(button) }
  void actInTurn(given, { busy: button })
}

function onChange({ target }) {
  if (target.closest('[data-choices]') !== null) chooseBoxes(target.closest('[data-choices]'))
  else if (target.matches('[data-search]')) void pick(target)
  else if (target.matches('select')) choose(target, target.value)
  else if (target.matches('[data-typed]')) {
    const { block } = target.dataset
    void actInTurn({ do: 'choose', block, entry: target.value }, { quiet: true })
  }
}

function chooseBoxes(group) {
  for (const box of group.querySelectorAll('input')) box.dataset.dirty = 'yes'
  const values = [...group.querySelectorAll('input:checked')].map(({ value }) => value)
  choose(group, group.dataset.choices === 'one' ? (values[0] ?? '') : values)
}

/** The enter key tells an app that wants to know, otherwise it sends the form, as long as a line cannot be broken. */
function onKey(event) {
  const { target, key } = event
  if (key !== 'Enter' || event.isComposing || !target.matches?.('input[data-typed]')) return
  event.preventDefault()
  const { block, tells } = target.dataset
  if (tells !== undefined) void actInTurn({ do: 'choose', block, entry: target.value, enter: true })
  else void submitForm()
}

function typedTexts(element) {
  const view = element.closest('[data-modal]')
  if (view === null) return {}
  const fields = [...view.querySelectorAll('[data-typed][data-dirty="yes"]')]
  return Object.fromEntries(fields.map((field) => [field.dataset.block, field.value]))
}

function focusFirstError() {
  const field = document.querySelector('[data-modal] .has-error')
  field?.querySelector('input, textarea, select, button')?.focus()
  field?.scrollIntoView({ block: 'nearest' })
}
