import { MAX_RUNBOOK_CHARACTERS, runbookProblem, runbookUrl } from '../../alerts/runbook.ts'
import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { custom, one, problem } from '../fields.ts'

/** Slack writes an address so where it has made a link of it. */
const LINKED = /^<([^<>|]+)(?:\|[^<>]*)?>$/

/** Where it stands what to do when an alert comes. */
export const runbookField = custom<string>({
  label: 'Runbook',
  hint: 'An https address at which it stands what to do; it is linked from each message of the alert.',
  control: { kind: 'text', maxLength: MAX_RUNBOOK_CHARACTERS, multiline: false, word: 'https-address' },
  read(raw) {
    const typed = one(raw).trim()
    const value = LINKED.exec(typed)?.[1] ?? typed
    const wrong = runbookProblem(value)
    return wrong === undefined ? { ok: true, value } : problem(`Runbook ${wrong}.`)
  },
})

/** The link that stands in an answer, after what it follows; nothing without an address. */
export function runbookLink(runbook: string | undefined, before = ''): Mrkdwn {
  const url = runbookUrl(runbook)
  return url === undefined ? md`` : md`${before}${link(url, 'Runbook')}`
}
