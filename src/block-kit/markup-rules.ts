import { unless, type Problem } from './problems.ts'

/** Every form of control sequence that `mrkdwn.ts` makes. */
const OURS = new RegExp(
  [
    String.raw`<[@#][A-Z0-9]{3,21}>`,
    String.raw`<!subteam\^S[A-Z0-9]{2,20}>`,
    String.raw`<!date\^\d{1,12}\^[^<>|^&]{1,100}\|[^<>|]{1,40}>`,
    String.raw`<https?://[^\s<>|]+\|[^<>|]+>`,
  ].join('|'),
  'g',
)
const BARE = /[<>]|&(?!(?:amp|lt|gt);)/

/**
 * What a text in Slack's markup holds that no builder makes: a control sequence of another form, or one of the three
 * characters unescaped. Such a text came around the builders, as one may that was stored by somebody else.
 */
export function markupProblems(text: string, pointer: string): readonly Problem[] {
  const isOurs = isWithoutMarkup(text) || isWithoutMarkup(text.replaceAll(OURS, ''))
  return unless(isOurs, pointer, 'Must not hold a control sequence that is not ours.')
}

/** Whether there is nothing that Slack would act upon, be it ours or not. */
export function isWithoutMarkup(text: string): boolean {
  return !BARE.test(text)
}

/** The same of plain words, such as the twin of a message, which Slack reads as markup too. */
export function plainWordsProblems(text: string, pointer: string): readonly Problem[] {
  return unless(isWithoutMarkup(text), pointer, 'Must not hold a control sequence.')
}
