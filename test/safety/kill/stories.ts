import type { Fault } from '../../../src/playground/cdn/faults.ts'
import { ADA, OLGA, OTTO, VERA } from '../../../src/playground/slack/state/seed.ts'
import { CARD_ACTIONS } from '../../../src/execution/messages/change-card.ts'
import { APPROVE_VIEW, DECLINE_VIEW, FORM_VIEW, REVIEW_VIEW } from '../../../src/slack/form/form-place.ts'
import { ALONE_BLOCK } from '../../../src/slack/form/review-view.ts'
import { holderOf, isDigestDue, notesOf, openIncidentOf } from './facts.ts'
import { DNS_ZONE } from './stage.ts'
import type { Play } from './play.ts'

/** Billed, so that an operator needs another one. */
const BILLED = '--encoding-tier premium --output-codecs x264'

/** What people do while the bot is killed under their hands. Each leaves whatever it began to the next round. */
export type Story = (play: Play) => Promise<void>

const STORIES = {
  /** An operator adds a record, reviews it and confirms it. */
  record: async (play) => {
    await askForRecord(play)
    await play.settled()
  },
  /** An admin creates a library that is billed, and confirms it. */
  library: async (play) => {
    await play.command(ADA, `library create ${play.name} ${BILLED}`)
    await play.view(ADA, REVIEW_VIEW)
    await play.submit(ADA, 'asked')
    await play.settled()
  },
  /** The platform carries it out and breaks the connection: nobody knows, until somebody looks and says. */
  lostAnswer: async (play) => {
    await askForRecord(play, { kind: 'reset', carriedOut: true })
    await play.settled()
    await play.click(OTTO, CARD_ACTIONS.exists)
    await play.settled()
  },
  /** Something before the platform answers for it, and nothing was done: nobody knows that either. */
  lostRequest: async (play) => {
    await askForRecord(play, { kind: 'status', status: 503 })
    await play.settled()
    await play.click(OTTO, CARD_ACTIONS.absent)
    await play.settled()
  },
  /** The platform refuses. */
  refused: async (play) => {
    await askForRecord(play, { kind: 'status', status: 403 })
    await play.settled()
  },
  /** An operator asks for a library, another one approves. */
  approval: async (play) => {
    await askForLibrary(play)
    await approve(play)
  },
  /** Somebody goes without approval and says why. Where the configuration does not let them, others are asked. */
  breakGlass: async (play) => {
    await play.command(OLGA, `library create ${play.name} ${BILLED}`)
    const { blocks } = await play.view(OLGA, REVIEW_VIEW)
    const mayGoAlone = blocks.some((block) => block.block_id === ALONE_BLOCK)
    await play.submit(OLGA, 'asked', mayGoAlone ? { [ALONE_BLOCK]: 'The site is down' } : {})
    await play.settled()
  },
  declined: async (play) => {
    await askForLibrary(play)
    await play.click(OTTO, CARD_ACTIONS.decline)
    await play.view(OTTO, DECLINE_VIEW)
    await play.whileAlive(play.stage.slack.person(OTTO).submit())
    await play.settled()
  },
  cancelled: async (play) => {
    await askForLibrary(play)
    await play.click(OLGA, CARD_ACTIONS.cancel)
    await play.settled()
  },
  /** A form is filled in page by page, and given up at the end. */
  form: async (play) => {
    const olga = play.stage.slack.person(OLGA)
    await play.command(OLGA, 'library create')
    const { blocks } = await play.view(OLGA, FORM_VIEW)
    const first = blocks.find((block) => block.type === 'input')?.block_id ?? ''
    await play.whileAlive(olga.submit({ [first]: play.name }))
    while (olga.view()?.callbackId === FORM_VIEW) await play.whileAlive(olga.submit())
    await play.whileAlive(olga.closeView())
  },
  /** A name is given to a zone and taken away: what the bot keeps for itself. */
  zones: async (play) => {
    await play.command(OLGA, `zones add dns 4711 ${play.name}`)
    await play.command(OLGA, `zones remove dns ${play.name}`)
  },
  /** A read that is put on record. */
  keys: async (play) => {
    await play.command(ADA, 'keys list')
  },
  /** One acknowledges an alert, another one takes it over, notes something, and takes the acknowledgement back. */
  handOver: async (play) => {
    const { store } = play.stage
    const incident = await openIncidentOf(store)
    if (incident === undefined) return
    const isHeldBy = (person: string | null) => async () => (await holderOf(store, incident)) === person
    const release = async () => {
      await play.command(OTTO, `alerts release ${incident}`)
      await play.soon(isHeldBy(null), 'nobody who holds it')
    }
    // An earlier round may have ended in the middle.
    if (!(await isHeldBy(null)())) await release()
    await play.command(OLGA, `alerts acknowledge ${incident}`)
    await play.soon(isHeldBy(OLGA), 'an acknowledgement')
    await play.command(OTTO, `alerts assign ${incident}`)
    await play.soon(isHeldBy(OTTO), 'another holder')
    await play.command(OTTO, `alerts note ${incident} ${play.name}`)
    await play.soon(async () => (await notesOf(store)).includes(play.name), 'a note')
    await release()
  },
  /** A digest that is due is told, without anybody's doing. */
  digest: async (play) => {
    const { store } = play.stage
    await play.soon(async () => !(await isDigestDue(store)), 'a digest')
  },
  /** Somebody asks for what they may not do. */
  denied: async (play) => {
    await play.command(VERA, `dns add ${DNS_ZONE} A ${play.name} 192.0.2.10`)
  },
} as const satisfies Readonly<Record<string, Story>>

export type StoryName = keyof typeof STORIES
export const STORY_NAMES = Object.keys(STORIES) as readonly StoryName[] // the keys of the table above
/** Those in which nobody asks for a change that the platform carries out. */
const ASKING_NOTHING = new Set<StoryName>(['form', 'zones', 'keys', 'handOver', 'digest', 'denied'])

export function asksForChange(name: StoryName): boolean {
  return !ASKING_NOTHING.has(name)
}

/** Plays one story. Ends early, with `BotGone`, when the bot does. */
export async function playStory(name: StoryName, play: Play): Promise<void> {
  try {
    await STORIES[name](play)
  } finally {
    play.stage.cdn.faults.clear('addDnsRecord')
  }
}

/** Another operator approves what waits under this name, and it is sent. */
async function approve(play: Play): Promise<void> {
  await play.click(OTTO, CARD_ACTIONS.approve)
  await play.view(OTTO, APPROVE_VIEW)
  await play.submit(OTTO, 'approved')
  await play.settled()
}

/** The same for a change that other rules may have ended by the time of the click; what opens then says so. */
export async function approveIfOpen(play: Play): Promise<void> {
  const otto = play.stage.slack.person(OTTO)
  await play.click(OTTO, CARD_ACTIONS.approve)
  const { callbackId } = await play.until(() => otto.view())
  if (callbackId === APPROVE_VIEW) await play.submit(OTTO, 'approved')
  await play.settled()
  otto.reload()
}

/** The fault, if one is given, is the platform's answer to whatever is sent until the story has been told. */
async function askForRecord(play: Play, fault?: Fault): Promise<void> {
  if (fault !== undefined) play.stage.cdn.faults.set('addDnsRecord', fault)
  await play.command(OLGA, `dns add ${DNS_ZONE} A ${play.name} 192.0.2.10`)
  await play.view(OLGA, REVIEW_VIEW)
  await play.submit(OLGA, 'asked')
}

async function askForLibrary(play: Play): Promise<void> {
  await play.command(OLGA, `library create ${play.name} ${BILLED}`)
  await play.view(OLGA, REVIEW_VIEW)
  await play.submit(OLGA, 'asked')
}
