/** Longer addresses are pasted by mistake: they carry a session or a whole search. */
export const MAX_RUNBOOK_CHARACTERS = 500

/** What is wrong with the address of a runbook; undefined when nothing is. Completes the sentence "Runbook …". */
export function runbookProblem(text: string): string | undefined {
  if (text.length > MAX_RUNBOOK_CHARACTERS)
    return `has ${text.length} characters; at most ${MAX_RUNBOOK_CHARACTERS} are allowed`
  if (/[^\x21-\x7e]/.test(text)) return 'holds white space, or letters beyond ASCII'
  const url = URL.parse(text)
  if (url === null || !/^https:\/\/[a-z0-9[]/i.test(text) || /[\\<>|]/.test(text))
    return 'is not an https address such as https://wiki.example.com/runbook'
  return url.username === '' && url.password === '' ? undefined : 'holds a user name or password: take it out'
}

/** The address as it is linked; undefined where there is none, or none that a message may link. */
export function runbookUrl(text: string | undefined): URL | undefined {
  return text === undefined || runbookProblem(text) !== undefined ? undefined : new URL(text)
}
