const GAP_PX = 4
const LEAST_ROOM_PX = 240

/** Puts a list that lies above everything beside what it belongs to: below it, or above it where there is more room. */
export function placeBeside(list, anchor) {
  const { left, width, top, bottom } = anchor.getBoundingClientRect()
  const below = innerHeight - bottom
  const isAbove = below < LEAST_ROOM_PX && top > below
  list.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - list.offsetWidth - GAP_PX))}px`
  list.style.minWidth = `${width}px`
  list.style.maxHeight = `${(isAbove ? top : below) - 3 * GAP_PX}px`
  list.style.top = isAbove ? 'auto' : `${bottom + GAP_PX}px`
  list.style.bottom = isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto'
}

/** Menus behind a button. The browser opens and closes them; the arrow keys go through them. */
export function startMenus() {
  document.addEventListener('toggle', onToggle, true)
  document.addEventListener('keydown', onKey)
}

function onToggle({ target, newState }) {
  if (newState !== 'open' || !target.matches('[role="menu"]')) return
  placeBeside(target, document.getElementById(target.getAttribute('aria-labelledby')))
}

function onKey(event) {
  const menu = event.target.closest?.('[role="menu"]')
  if (!menu) return
  const items = [...menu.querySelectorAll('[role="menuitem"]')]
  const at = items.indexOf(document.activeElement)
  const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }
  if (!(event.key in moves)) return
  items.at(moves[event.key] % items.length).focus()
  event.preventDefault()
}
