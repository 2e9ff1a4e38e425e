const NOTICE_MS = 9_000
const MAX_NOTICES = 4

let last = Promise.resolve()

/**
 * Does something as the person the page is for, and resolves with the server's answer. What goes wrong is shown.
 * `busy` is marked while it lasts; `quiet` leaves showing to the caller.
 */
export async function act(given, { busy, quiet = false } = {}) {
  busy?.setAttribute('aria-busy', 'true')
  const who = new URLSearchParams(location.search).get('who') ?? 'olga'
  const answer = await post({ who, act: given })
  busy?.removeAttribute('aria-busy')
  if (!answer.ok && answer.inForm !== true && !quiet) show(answer.shown)
  return answer
}

/** The same, after everything done this way before: a form must not be sent before what was typed into it. */
export function actInTurn(given, options) {
  last = last.then(() => act(given, options))
  return last
}

async function post(body) {
  try {
    const response = await fetch('/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.ok ? await response.json() : { ok: false, shown: await response.text() }
  } catch {
    return { ok: false, shown: 'The playground does not answer. Is it still running?' }
  }
}

/** Says for a while what went wrong: in the form that is open, which would hide it, or else above the page. */
function show(words) {
  const note = document.querySelector('#modal [data-note]')
  if (note !== null) {
    note.textContent = words
    return
  }
  const notice = Object.assign(document.createElement('div'), {
    className: 'toast card bad',
    role: 'alert',
    textContent: words,
  })
  const box = document.querySelector('#toasts')
  box.append(notice)
  while (box.children.length > MAX_NOTICES) box.firstElementChild.remove()
  setTimeout(() => notice.remove(), NOTICE_MS)
}
