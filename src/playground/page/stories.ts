import { OLGA, OPS } from '../slack/state/seed.ts'
import type { ShownMessage } from '../slack/person.ts'
import { html, type Html, NOTHING } from './html.ts'
import type { Stage } from '../stage/stage.ts'
import type { SeatKey } from './viewpoint.ts'

export const STORY_KEYS = ['alert', 'approval', 'unknown'] as const
type StoryKey = (typeof STORY_KEYS)[number]

/** Where a story leads when it waits for whoever reads it: whose place they take, and which message it is about. */
export interface Lead {
  readonly who: SeatKey
  readonly ts: string
}

/** Long enough to see what Olga asks for before she goes on. */
const READING_MS = 2_000
/** Of real time. The slowest is the alert, for which three days are read back and then some minutes have to pass. */
const STEP_TIMEOUT_MS = 50_000

/** What a story is played with. `say` tells whoever watches what happens now. */
interface Scene extends Pick<Stage, 'slack' | 'controls' | 'clock'> {
  readonly say: (words: string) => void
}

/**
 * What each is called and promises; what one can do `next` once it has led somewhere; what the message says once one has
 * `done` it, and what to say then.
 */
const STORIES = {
  alert: {
    title: 'Be told when the shop fails',
    promise: 'The shop’s origin breaks, time runs at 60×, and the bot says what is wrong.',
    next: 'The shop’s origin fails, and this is what the channel is told. Press “Acknowledge” or “Show lines”.',
    done: /Looked after by/,
    afterwards: 'Everybody in the channel sees that you look into it.',
    play: alertStory,
  },
  approval: {
    title: 'Ask as Olga, approve as Otto',
    promise: 'A zone that takes two people: Olga asks for a record, and you take Otto’s place.',
    next: 'You are Otto now. Olga cannot approve what she asked for herself: press “Approve …”.',
    done: /Approved by/,
    afterwards: 'The record was sent once, and the message says who asked and who approved.',
    play: approvalStory,
  },
  unknown: {
    title: 'Lose an answer, and settle it',
    promise: 'The record is sent, but the answer gets lost. Was it added? Nobody sends it twice.',
    next: 'No answer came. Press “Open it in the CDN’s panel” and look for the record; then come back and say what you found.',
    done: /A person looked/,
    afterwards: 'What you found is on the message and in the audit log, and nothing was sent twice.',
    play: unknownStory,
  },
} as const

interface Told {
  readonly key: StoryKey
  readonly words: string
  readonly who: SeatKey
  readonly playing: boolean
  readonly ts?: string
}

/** Plays the stories, one at a time, and says how far the newest one is. */
export class Stories {
  readonly #stage: Stage
  #told: Told | undefined

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Plays a story to the point where somebody has to do something. Rejects when it does not get there. */
  async play(key: StoryKey): Promise<Lead> {
    if (this.#told?.playing === true) throw new Error('A story is being played already')
    const { title, next, play } = STORIES[key]
    const tell = (told: Omit<Told, 'key'>): void => void (this.#told = { key, ...told })
    const say = (words: string): void => tell({ words, who: 'olga', playing: true })
    say(title)
    try {
      const lead = await play({ ...this.#stage, say })
      tell({ words: next, ...lead, playing: false })
      return lead
    } catch (error) {
      tell({ words: 'This did not get where it should. It can be played again.', who: 'olga', playing: false })
      throw error
    }
  }

  /** A line above the messages about the story that is played, with what can be played next, for who is in its place. */
  guideHtml(who: SeatKey): Html {
    if (this.#told?.who !== who) return NOTHING
    const { key, words, playing } = this.#told
    const { done, afterwards } = STORIES[key]
    const at = STORY_KEYS.indexOf(key)
    const next = STORY_KEYS[at + 1]
    const button =
      next === undefined
        ? ''
        : html`<button type="button" class="button" data-story="${next}">Next: ${STORIES[next].title}</button>`
    const shown = done.test(this.#message(this.#told.ts)) ? `Done. ${afterwards}` : words
    return html`<p role="status"${playing ? html` aria-busy="true"` : ''}><strong>Story ${at + 1} of ${STORY_KEYS.length}.</strong> ${shown}</p>${playing ? '' : button}`
  }

  #message(ts: string | undefined): string {
    const message = this.#stage.slack
      .person(OLGA)
      .messages(OPS)
      .find((each) => each.ts === ts)
    return message === undefined ? '' : JSON.stringify(message.blocks)
  }
}

export function storyCardsHtml(): Html {
  return html`<ol class="stories plain">${STORY_KEYS.map(
    (key, index) =>
      html`<li><button type="button" class="card" data-story="${key}"><strong>${index + 1}. ${STORIES[key].title}</strong><span class="quiet">${STORIES[key].promise}</span></button></li>`,
  )}</ol>`
}

async function alertStory({ slack, controls, say }: Scene): Promise<Lead> {
  const olga = slack.person(OLGA)
  controls.set('fast-time', false)
  say('Olga asks to be told in #ops when the shop is in trouble. The bot reads back how the shop usually is …')
  const seen = new Set(olga.messages(OPS).map(({ ts }) => ts))
  await olga.command(OPS, '/cdn alerts watch shop')
  await slack.until(
    () => olga.messages(OPS).find(({ ts, text }) => !seen.has(ts) && /watched/.test(text)),
    STEP_TIMEOUT_MS,
  )
  say('The shop’s origin breaks, and time runs at 60×. Some minutes of that, and the bot is sure …')
  controls.set('origin-down', true)
  controls.set('fast-time', true)
  try {
    const isOpenAlert = ({ byBot, ephemeral, text }: ShownMessage): boolean =>
      byBot && !ephemeral && /^(🔴|🔶) shop: /u.test(text)
    const card = () => olga.messages(OPS).findLast(isOpenAlert)
    const { ts } = await slack.until(card, STEP_TIMEOUT_MS)
    return { who: 'olga', ts }
  } finally {
    controls.set('fast-time', false)
  }
}

async function approvalStory(scene: Scene): Promise<Lead> {
  const ts = await olgaSends('dns add media A www', '192.0.2.44', 'The zone takes two people', scene)
  return { who: 'otto', ts }
}

async function unknownStory(scene: Scene): Promise<Lead> {
  const { controls } = scene
  controls.set('reset-after-accept', true)
  try {
    const ts = await olgaSends('dns add shop A lost', '192.0.2.45', 'The answer will get lost', scene)
    return { who: 'olga', ts }
  } finally {
    controls.set('reset-after-accept', false)
  }
}

/** Lets Olga ask for a record, read its review, send it and close the form. Resolves with the message about it. */
async function olgaSends(record: string, address: string, why: string, { slack, clock, say }: Scene): Promise<string> {
  const olga = slack.person(OLGA)
  const command = `/cdn ${record} ${address}`
  const seen = new Set(olga.messages(OPS).map(({ ts }) => ts))
  say(`Olga types ${command} and reads what would be sent. ${why} …`)
  await olga.command(OPS, command)
  await slack.until(() => olga.view()?.title === 'Review', STEP_TIMEOUT_MS)
  await clock.sleep(READING_MS)
  await olga.submit()
  const isCard = ({ ts, byBot, ephemeral, blocks }: ShownMessage): boolean =>
    byBot && !ephemeral && !seen.has(ts) && JSON.stringify(blocks).includes(address)
  const { ts } = await slack.until(() => olga.messages(OPS).find(isCard), STEP_TIMEOUT_MS)
  await clock.sleep(READING_MS)
  if (olga.view() !== undefined) await olga.closeView()
  return ts
}
