let before = null
let shownId = null
let shownTitle = null

/** Escape closes what is open in front of the page, unless something in front of that takes the key. */
export function startDialogs() {
  document.addEventListener('keydown', (event) => {
    const isTaken = event.defaultPrevented || document.querySelector('dialog.confirm, :popover-open') !== null
    const dialog = currentDialog()
    if (event.key !== 'Escape' || isTaken || dialog === null) return
    event.preventDefault()
    dialog.querySelector('[data-dismiss]').click()
  })
}

/** After every redraw: what has just opened takes the focus, what has closed gives it back. */
export function minding() {
  const dialog = currentDialog()
  const id = dialog?.id ?? null
  const title = dialog?.querySelector('h2').textContent ?? null
  if (shownId === null && id !== null) before = document.activeElement
  if (dialog?.open === false) dialog.showModal()
  if (dialog !== null && (id !== shownId || title !== shownTitle || !dialog.contains(document.activeElement))) {
    // Another step of the same form is read from its beginning.
    if (title !== shownTitle) dialog.querySelector('.modal-body').scrollTop = 0
    firstStop(dialog).focus()
  }
  if (id === null && shownId !== null) {
    const isBack = before?.isConnected === true && before !== document.body
    const back = isBack ? before : document.querySelector('#say')
    back?.focus()
  }
  shownId = id
  shownTitle = title
}

/** Asks the question that belongs to a button, if there is one. Resolves with whether to go on. */
export async function confirmed(element) {
  const template = element.parentElement.querySelector('template[data-confirm]')
  if (template === null) return true
  const dialog = template.content.firstElementChild.cloneNode(true)
  document.body.append(dialog)
  const { promise, resolve } = Promise.withResolvers()
  dialog.addEventListener('click', ({ target }) => target.value && dialog.close(target.value))
  dialog.addEventListener('close', () => resolve(dialog.returnValue === 'confirm'))
  dialog.showModal()
  const isWanted = await promise
  dialog.remove()
  return isWanted
}

/**
 * Where to begin: the first field, or the only button there is. Never the submit button: the enter key that opened a
 * review must not confirm it when it is pressed twice.
 */
function firstStop(dialog) {
  const buttons = dialog.querySelectorAll('.modal-foot button')
  const field = dialog.querySelector('.modal-body :is(input, select, textarea)')
  return field ?? (buttons.length === 1 ? buttons[0] : dialog.querySelector('.modal-body'))
}

function currentDialog() {
  return document.querySelector('#modal dialog')
}
