import * as z from 'zod'
import { type Clock, waitAtMost } from '../../shared/clock.ts'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { Command, LiveLink, LiveSlack, Reply } from './live-slack.ts'
import { addressed, type Sample, type Samples } from './samples.ts'

/** Slack takes a post a second in a channel. */
const PACE_MS = 1_100
const COMMAND_WITHIN_MS = 5 * MINUTE_MS
/** Slack takes five posts to a response address. */
const USES_PER_ADDRESS = 5
const FILE = { name: 'live-check.csv', title: 'Live check', content: 'what,seen\nfile,yes\n' }
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false }

export const PLACES = [
  'validator',
  'post',
  'edit',
  'reply',
  'ephemeral',
  'response address',
  'modal',
  'Home',
  'file',
] as const
export type Place = (typeof PLACES)[number]

/** What became of one thing that was shown to Slack. */
export interface Finding {
  readonly place: Place
  readonly name: string
  readonly verdict: 'accepted' | 'changed' | 'refused'
  /** Slack's word and reasons, or where it changed something. */
  readonly detail: string
}

export interface Outcome {
  readonly findings: readonly Finding[]
  /** What the person said of what no call tells. */
  readonly seen: readonly { readonly question: string; readonly answer: string }[]
  /** What could not be looked at, or removed, in words. */
  readonly notes: readonly string[]
}

export interface LiveCheckOptions {
  readonly slack: LiveSlack
  readonly samples: Samples
  readonly channel: string
  readonly command: string
  readonly clock: Clock
  readonly tell: (line: string) => void
  readonly ask: (question: string) => Promise<string>
}

const QUESTIONS = [
  'Does each chart and each table have its caption?',
  'Do the axes of the charts begin at zero?',
  'Do columns of numbers stand right-aligned, and can the table be sorted?',
  'On a phone: does the notification of the alert read well? What is its first line?',
  'On a phone: do charts and tables show?',
  'Does an edited message say “(edited)”?',
  'Does the Home tab show what fires and what waits before its buttons?',
]

/** The check could not begin; the message says why and what to do. */
export class CannotBegin extends Error {
  override readonly name = 'CannotBegin'
}

/**
 * Shows Slack one of each make of message and view that the bot sends, in each place, while a person watches; then removes
 * what can be removed. Throws CannotBegin while another link of the app is open, and where nothing can be posted.
 */
export async function checkLive(options: LiveCheckOptions): Promise<Outcome> {
  const { slack } = options
  const identity = await slack.call('auth.test', {})
  if (identity.error !== undefined) throw refusedAtOnce('the bot token', identity)
  const link = await slack.link(options.channel)
  if (!('connections' in link)) throw refusedAtOnce('a link with the app token', link)
  try {
    if (link.connections > 1) {
      throw new CannotBegin(
        `Another link of this app is open (${link.connections - 1}): Slack would send it what is typed here. Stop the bot first.`,
      )
    }
    return await new LiveCheck(options).run(link)
  } finally {
    link.close()
  }
}

function refusedAtOnce(what: string, { error }: Reply): CannotBegin {
  return new CannotBegin(`Slack refuses ${what}: ${error ?? 'no answer'}. Compare the settings with the app’s pages.`)
}

class LiveCheck {
  readonly #options: LiveCheckOptions
  readonly #findings: Finding[] = []
  readonly #notes: string[] = []
  readonly #seen: Outcome['seen'][number][] = []
  readonly #posted: string[] = []
  readonly #files: string[] = []

  constructor(options: LiveCheckOptions) {
    this.#options = options
  }

  async run(link: LiveLink): Promise<Outcome> {
    const { channel, tell } = this.#options
    const text = 'A live check of CDN Ops begins here. Its messages are removed when it ends.'
    const first = await this.#send('post', 'text alone', 'chat.postMessage', { channel, text })
    const root = this.#keep(first)
    if (root === undefined)
      throw new CannotBegin(`Nothing can be posted in ${channel}: ${first.error}. Invite the bot.`)
    try {
      await this.#validate()
      const typed = await this.#command(link)
      if (typed !== undefined) {
        // Its trigger opens a view within three seconds, and no later.
        await this.#modals(typed)
        await this.#answers(typed)
        await this.#home(typed)
      }
      await this.#messages(root, typed?.user_id)
      await this.#file()
      for (const question of QUESTIONS) await this.#question(question)
    } finally {
      tell('Removing what was posted …')
      await this.#remove()
    }
    return { findings: this.#findings, notes: this.#notes, seen: this.#seen }
  }

  async #validate(): Promise<void> {
    const { samples, tell } = this.#options
    tell('Asking Slack’s validator …')
    for (const sample of samples.messages)
      await this.#send('validator', sample.name, 'blocks.validate', { blocks: sample.content.blocks }, 'none')
    for (const sample of samples.views)
      await this.#send('validator', sample.name, 'blocks.validate', { view: sample.content }, 'none')
  }

  /** What somebody types in the channel: it brings who they are, a trigger and a response address. */
  async #command(link: LiveLink): Promise<Command | undefined> {
    const { command, tell, clock } = this.#options
    tell(`Type in the channel, within five minutes: ${command} live-check @a-user-group (or without a group)`)
    const typed = (await waitAtMost(clock, COMMAND_WITHIN_MS, link.command))?.value
    if (typed !== undefined) this.#seen.push({ question: 'How the command’s text arrived', answer: typed.text })
    else
      this.#notes.push(
        `Nobody typed ${command} in the channel: modals, Home, ephemeral messages and response addresses were not looked at.`,
      )
    return typed
  }

  async #modals({ user_id: person, trigger_id }: Command): Promise<void> {
    const { samples, channel } = this.#options
    let open: string | undefined
    for (const sample of samples.views.filter((each) => each.content.type === 'modal')) {
      const view = addressed(sample.content, { person, channel })
      const reply =
        open === undefined
          ? await this.#send('modal', sample.name, 'views.open', { trigger_id, view })
          : await this.#send('modal', sample.name, 'views.update', { view_id: open, view })
      open ??= Opened.safeParse(reply.body).data?.view.id
      if (reply.error === undefined) await this.#question(`The form “${sample.name}” is open: is it right?`)
    }
  }

  /** Those with charts and tables first: an address takes five. */
  async #answers({ user_id: person, response_url: address }: Command): Promise<void> {
    const { samples, channel } = this.#options
    const rank = ({ types }: Sample<unknown>) =>
      Number(types.has('data_visualization')) + Number(types.has('data_table'))
    const first = samples.messages.toSorted((a, b) => rank(b) - rank(a)).slice(0, USES_PER_ADDRESS)
    for (const sample of first) {
      const body = { ...addressed(sample.content, { person, channel }), ...QUIET, response_type: 'ephemeral' }
      const reply = await this.#options.slack.post(address, JSON.stringify(body), 'application/json')
      this.#note('response address', sample.name, reply, {})
    }
  }

  async #home({ user_id: person }: Command): Promise<void> {
    const { samples, channel } = this.#options
    for (const sample of samples.views.filter((each) => each.content.type === 'home')) {
      const view = addressed(sample.content, { person, channel })
      await this.#send('Home', sample.name, 'views.publish', { user_id: person, view })
    }
    this.#notes.push(
      'The Home tab of whoever typed the command stays as the check left it, until they open it while the bot runs.',
    )
  }

  async #messages(root: string, person: string | undefined): Promise<void> {
    const { samples, channel, clock, tell } = this.#options
    tell(`Posting ${samples.messages.length} messages, each edited, as a reply and as an ephemeral message …`)
    for (const sample of samples.messages) {
      const { text, blocks } = addressed(sample.content, { person: person ?? 'USLACKBOT', channel })
      const message = { channel, text, blocks, ...QUIET }
      const ts = this.#keep(await this.#send('post', sample.name, 'chat.postMessage', message))
      await clock.sleep(PACE_MS)
      if (ts !== undefined) await this.#send('edit', sample.name, 'chat.update', { channel, ts, text, blocks })
      this.#keep(await this.#send('reply', sample.name, 'chat.postMessage', { ...message, thread_ts: root }))
      await clock.sleep(PACE_MS)
      if (person !== undefined)
        await this.#send('ephemeral', sample.name, 'chat.postEphemeral', { ...message, user: person })
    }
  }

  async #file(): Promise<void> {
    const { slack, channel } = this.#options
    const ticket = await slack.call('files.getUploadURLExternal', { filename: FILE.name, length: FILE.content.length })
    const { upload_url: url, file_id: id } = ticket.body
    if (typeof url !== 'string' || typeof id !== 'string') return this.#note('file', 'upload address', ticket, {})
    this.#note('file', 'upload', await slack.post(url, FILE.content, 'application/octet-stream'), {})
    this.#files.push(id)
    const shared = { files: [{ id, title: FILE.title }], channel_id: channel }
    await this.#send('file', 'into the channel', 'files.completeUploadExternal', shared)
  }

  async #question(question: string): Promise<void> {
    this.#seen.push({ question, answer: (await this.#options.ask(question)).trim() })
  }

  async #remove(): Promise<void> {
    const { slack, channel } = this.#options
    for (const file of this.#files.toReversed()) this.#stays('a file', await slack.call('files.delete', { file }))
    for (const ts of this.#posted.toReversed())
      this.#stays('a message', await slack.call('chat.delete', { channel, ts }))
    this.#notes.push('Ephemeral messages go when Slack is loaded again.')
  }

  #stays(what: string, { error }: Reply): void {
    if (error !== undefined) this.#notes.push(`Slack did not remove ${what}: ${error}.`)
  }

  async #send(place: Place, name: string, method: string, args: object, token?: 'none'): Promise<Reply> {
    const reply = await this.#options.slack.call(method, args, token)
    this.#note(place, name, reply, args)
    return reply
  }

  #note(place: Place, name: string, { error, reasons, body }: Reply, sent: object): void {
    const got = body['view'] ?? body['message']
    const wanted = 'view' in sent ? sent.view : sent
    const changed =
      got === undefined || error !== undefined ? undefined : findChange(blocksIn(wanted), blocksIn(got), '/blocks')
    const verdict = error !== undefined ? 'refused' : changed === undefined ? 'accepted' : 'changed'
    const detail = error === undefined ? (changed ?? '') : [error, ...reasons.slice(0, 5)].join('; ')
    this.#findings.push({ place, name, verdict, detail })
  }

  #keep({ body }: Reply): string | undefined {
    const ts = body['ts']
    if (typeof ts !== 'string') return undefined
    this.#posted.push(ts)
    return ts
  }
}

const Opened = z.object({ view: z.looseObject({ id: z.string() }) })

function blocksIn(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'blocks' in part ? part.blocks : undefined
}

/** Where what Slack shows lacks something of what was sent, as a JSON pointer; what it added does not count. */
function findChange(sent: unknown, got: unknown, pointer: string): string | undefined {
  if (typeof sent !== 'object' || sent === null) return sent === undefined || sent === got ? undefined : pointer
  if (typeof got !== 'object' || got === null) return pointer
  const found: Readonly<Record<string, unknown>> = { ...got }
  if (Array.isArray(sent) && Array.isArray(got) && sent.length !== got.length) return pointer
  for (const [name, value] of Object.entries(sent)) {
    const change = findChange(value, found[name], `${pointer}/${name}`)
    if (change !== undefined) return change
  }
  return undefined
}
