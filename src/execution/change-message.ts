import { section } from '../block-kit/sections.ts'
import { joinMd, link, md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { type Message, message } from '../block-kit/message.ts'
import { CdnError } from '../cdn/errors.ts'
import { UserError } from '../shared/errors.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { wordsFor } from './platform-words.ts'

export interface EndedChange {
  readonly sentence: string
  readonly outcome: Outcome
  /** What the platform, or the lack of an answer, said; plain. */
  readonly happened: string
  readonly next: string
  /** What to look for in the platform when nobody knows whether it happened. */
  readonly lookFor: string | undefined
  readonly panel: URL | undefined
}

const HEADLINES: Readonly<Record<Outcome, string>> = {
  done: 'Done, but the answer could not be read',
  rejected: 'Refused by the platform: nothing was changed',
  not_sent: 'Not sent: nothing was changed',
  unknown: 'Unknown: it may or may not have happened',
}

const AS_WANTED = 'That it is there as you wanted it, since nothing of the answer could be shown.'

const ICONS: Readonly<Record<Outcome, Mrkdwn>> = {
  done: md`:white_check_mark:`,
  rejected: md`:x:`,
  not_sent: md`:x:`,
  unknown: md`:grey_question:`,
}

/**
 * How a write ended that has no answer to show: what happened, what was and was not done, what to do next. Who asked is
 * added where it is shown.
 */
export function endedMessage(change: EndedChange): Message {
  const { outcome, sentence, happened, next, lookFor, panel } = change
  const headline = HEADLINES[outcome]
  // To somebody who was just told that it was carried out, "if not, add it again" would be the wrong advice.
  const check = outcome === 'unknown' ? lookFor : outcome === 'done' ? AS_WANTED : undefined
  // What helps after a failed read, asking again, could here do it twice.
  const steps = outcome === 'unknown' ? ['Look before you ask again: it is never sent again by itself.'] : [next]
  return message({
    text: [`${headline}.`, `${sentence}.`, happened, check, ...steps].filter((part) => part !== undefined).join(' '),
    blocks: [
      section(md`${ICONS[outcome]} *${headline}*\n${sentence}`),
      section(md`${happened} ${joinMd(steps, ' ')}`),
      ...(check === undefined
        ? []
        : [
            section(
              md`*What to check:* ${check}${panel === undefined ? '' : md` ${link(panel, 'See it in the panel')}`}`,
            ),
          ]),
    ],
  })
}

/**
 * Words for an error that ended a write, whatever its kind; a bug comes with the number it is logged under. Where secrets
 * were sent, the platform's own words are left out: they may quote one.
 */
export function endingWords(error: unknown, newIncident: () => string, sentSecrets = false): EndingWords {
  if (error instanceof CdnError) {
    const words = sentSecrets ? wordsWithoutTheirs(error) : wordsFor(error)
    if (outcomeOf(error) !== 'done') return words
    return { happened: words.happened, next: 'It was carried out; its details stand in the panel.' }
  }
  if (error instanceof UserError) return { happened: error.message, next: error.hint ?? 'Ask again.' }
  const incident = newIncident()
  return {
    happened: `Something went wrong inside CDN Ops while it was sent or shown. Incident ${incident}.`,
    next: 'Tell whoever runs CDN Ops the incident number.',
    incident,
  }
}

function wordsWithoutTheirs({ endpoint, failure }: CdnError): ReturnType<typeof wordsFor> {
  if (failure.kind !== 'rejected') return wordsFor(new CdnError(endpoint, failure))
  const { message, ...rest } = failure
  const { happened, next } = wordsFor(new CdnError(endpoint, rest))
  return { happened: `${happened}${message === undefined ? '' : ' What it says may quote a secret: left out.'}`, next }
}

export interface EndingWords {
  readonly happened: string
  readonly next: string
  readonly incident?: string
}
