/** Menus behind a button: open and close, arrow keys, and away with them on Escape or a press elsewhere. */
export function startMenus() {
  document.addEventListener('click', ({ target }) => {
    const opener = target.closest('[data-menu-open]')
    for (const menu of document.querySelectorAll('[data-menu][data-open="yes"]')) {
      if (opener === null || !menu.contains(opener)) toggle(menu, false)
    }
    if (opener === null) return
    const menu = opener.closest('[data-menu]')
    toggle(menu, menu.dataset.open !== 'yes')
    items(menu)[0]?.focus()
  })
  document.addEventListener('keydown', onKey)
}

function onKey(event) {
  const menu = event.target.closest?.('[data-menu]')
  if (!menu) return
  const list = items(menu)
  const at = list.indexOf(document.activeElement)
  const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }
  if (event.key === 'Escape' && menu.dataset.open === 'yes') {
    toggle(menu, false)
    menu.querySelector('[data-menu-open]').focus()
    event.stopPropagation()
  } else if (event.key in moves) {
    if (menu.dataset.open !== 'yes') toggle(menu, true)
    list.at(moves[event.key] % list.length)?.focus()
  } else return
  event.preventDefault()
}

function toggle(menu, isOpen) {
  menu.querySelector('[role="menu"]').hidden = !isOpen
  menu.querySelector('[data-menu-open]').setAttribute('aria-expanded', String(isOpen))
  menu.dataset.open = isOpen ? 'yes' : 'no'
}

function items(menu) {
  return [...menu.querySelectorAll('[role="menuitem"]')]
}
