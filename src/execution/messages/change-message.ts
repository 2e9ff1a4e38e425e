import { section } from '../../block-kit/sections.ts'
import { joinMd, link, md, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import { UserError } from '../../shared/errors.ts'
import { type Outcome, classifyFailure } from './outcome.ts'
import { type FailureWords, wordsFor } from './cdn-error-text.ts'
import { CARD_STATES } from './change-card.ts'

/** What to do while nobody knows whether it happened, step by step. */
function lookSteps(lookFor: string | undefined, panel: URL | undefined): Mrkdwn {
  const steps = [
    panel === undefined ? md`Open the CDN’s panel.` : link(panel, 'Open it in the CDN’s panel'),
    md`${lookFor ?? 'Look for it.'}`,
    md`Press *It exists* or *It does not exist* in the channel. It is never sent again by itself: if it does not exist, ask for it anew.`,
  ]
  return joinMd(
    steps.map((step, index) => md`${index + 1}. ${step}`),
    '\n',
  )
}

/**
 * How a write ended that has no answer to show: what happened, what was and was not done, what to do next. Who asked is
 * added where it is shown.
 */
export function endedMessage({
  sentence,
  outcome,
  happened,
  next,
  lookFor,
  panel,
}: FailureWords & {
  readonly sentence: string
  readonly outcome: Outcome
  /** What to look for in the platform when nobody knows whether it happened. */
  readonly lookFor: string | undefined
  readonly panel: URL | undefined
}): Message {
  const { icon, headline: usual } = CARD_STATES[outcome]
  const headline = outcome === 'done' ? 'Done, but the answer could not be read' : usual
  const isUnknown = outcome === 'unknown'
  // What helps after a failed read, asking again, could here do it twice.
  const there = outcome === 'done' && panel !== undefined ? md` ${link(panel, 'See it in the panel')}` : md``
  const steps = isUnknown ? lookSteps(lookFor, panel) : md`${next}${there}`
  return message({
    text: [md`${headline}.`, md`${sentence}.`, md`${happened}`, steps].map(plainOf).join(' '),
    blocks: [
      section(md`${icon} *${headline}*\n${sentence}`),
      ...(isUnknown ? [section(md`${happened}`), section(steps)] : [section(md`${happened} ${steps}`)]),
    ],
  })
}

/**
 * Words for an error that ended a write, whatever its kind; a bug comes with the number it is logged under. Where secrets
 * were sent, the platform's own words are left out: they may quote one.
 */
export function wordEnding(
  error: unknown,
  newIncident: () => string,
  sentSecrets = false,
): FailureWords & { readonly incident?: string } {
  if (error instanceof CdnError) {
    const words = sentSecrets ? wordsWithoutTheirs(error) : wordsFor(error)
    if (classifyFailure(error) !== 'done') return words
    return {
      happened: words.happened,
      next: 'It was carried out: check in the CDN’s panel that it is as you wanted it.',
    }
  }
  if (error instanceof UserError) return { happened: error.message, next: error.hint ?? 'Ask again.' }
  const incident = newIncident()
  return {
    happened: `Something went wrong inside CDN Ops while it was sent or shown. Incident ${incident}.`,
    next: 'Tell whoever runs CDN Ops the incident number.',
    incident,
  }
}

function wordsWithoutTheirs({ endpoint, failure }: CdnError): FailureWords {
  if (failure.kind !== 'rejected') return wordsFor(new CdnError(endpoint, failure))
  const { message, ...rest } = failure
  const { happened, next } = wordsFor(new CdnError(endpoint, rest))
  return { happened: `${happened}${message === undefined ? '' : ' What it says may quote a secret: left out.'}`, next }
}
