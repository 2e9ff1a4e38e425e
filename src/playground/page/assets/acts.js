import { toast } from './toasts.js'

let last = Promise.resolve()

/** Who acts, as the address says. */
export function who() {
  return new URLSearchParams(location.search).get('who') ?? 'olga'
}

/**
 * Does something as the person the page is for, and resolves with the server's answer. What goes wrong is shown.
 * `busy` is marked while it lasts; `quiet` leaves showing to the caller.
 */
export async function act(given, { busy, quiet = false, as = who() } = {}) {
  busy?.setAttribute('aria-busy', 'true')
  const answer = await post({ who: as, act: given })
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

/** In front of a form a notice would be overlooked, so the form says it itself. */
function show(words) {
  const note = document.querySelector('#modal [data-note]')
  if (note === null) toast(words)
  else note.textContent = words
}
