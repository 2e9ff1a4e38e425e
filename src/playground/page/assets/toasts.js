const SHOWN_MS = 9_000
const MAX_TOASTS = 4

/** Shows a notice for a while; it can be sent away before. */
export function toast(words) {
  const box = document.querySelector('#toasts')
  const notice = document.createElement('div')
  notice.className = 'toast'
  notice.setAttribute('role', 'alert')
  const text = document.createElement('span')
  text.textContent = words
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'close'
  close.textContent = '×'
  close.setAttribute('aria-label', 'Dismiss')
  close.addEventListener('click', () => notice.remove())
  notice.append(text, close)
  box.append(notice)
  while (box.children.length > MAX_TOASTS) box.firstElementChild.remove()
  setTimeout(() => notice.remove(), SHOWN_MS)
}

/** Tells screen readers what is new, without moving anything. */
export function announce(words) {
  document.querySelector('#live').textContent = words
}
