import { actInTurn } from './acts.js'

let before = null
let shownId = null
let shownTitle = null

/** Escape closes the form that is open, unless something in front of it takes the key. */
export function startModals() {
  document.addEventListener('keydown', (event) => {
    const isTaken = event.defaultPrevented || document.querySelector('dialog[open]') !== null
    if (event.key !== 'Escape' || isTaken || currentModal() === null) return
    event.preventDefault()
    void actInTurn({ do: 'close' })
  })
  document.addEventListener('keydown', keepInside)
  minding()
}

/** After every redraw: a form that has just opened takes the focus, one that has closed gives it back. */
export function minding() {
  const modal = currentModal()
  const app = document.querySelector('#app')
  const id = modal?.id ?? null
  const title = modal?.querySelector('h2').textContent ?? null
  app.inert = modal !== null
  if (id === shownId && title !== shownTitle && modal !== null) {
    // Another step of the same form: it is read from its beginning.
    modal.querySelector('.modal-body').scrollTop = 0
    firstField(modal).focus()
  }
  shownTitle = title
  if (id === shownId) {
    if (modal !== null && !modal.contains(document.activeElement) && !isElsewhere()) firstField(modal).focus()
    return
  }
  if (shownId === null) before = document.activeElement
  shownId = id
  if (modal !== null) firstField(modal).focus()
  else if (before?.isConnected === true && before !== document.body) before.focus()
  else document.querySelector('#say')?.focus()
}

function keepInside(event) {
  const modal = currentModal()
  if (event.key !== 'Tab' || modal === null || isElsewhere()) return
  const stops = [...modal.querySelectorAll('a[href], button, input, textarea, select, [tabindex="0"]')].filter(
    (stop) => !stop.disabled && stop.offsetParent !== null && stop.tabIndex >= 0,
  )
  const [first, last] = [stops[0], stops.at(-1)]
  const current = document.activeElement
  if (event.shiftKey && (current === first || current === modal)) last.focus()
  else if (!event.shiftKey && current === last) first.focus()
  else return
  event.preventDefault()
}

/** Never the submit button: the enter key that opened a review must not confirm it when it is pressed twice. */
function firstField(modal) {
  return modal.querySelector('.modal-body :is(input, textarea)') ?? modal
}

function isElsewhere() {
  return document.querySelector('dialog[open]') !== null || document.activeElement?.closest('#toasts') !== null
}

function currentModal() {
  return document.querySelector('[data-modal]')
}
