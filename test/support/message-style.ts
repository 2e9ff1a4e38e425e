import type { Sent } from './outgoing-walker.ts'

const MAX_TITLE_CHARACTERS = 70
const MAX_INTRODUCTION_CHARACTERS = 160
const MAX_CONTROLS = 3
/** The status of a zone is asked for, and has a title like an alert. */
const MAX_ANSWER_CONTROLS = 5
const MAX_SENTENCES = 2
const SHOWN_CHARACTERS = 100

/** How the title of an alert begins, by what became of it. */
const ALERT_TITLE = /^(🔴|🟠|🔶|🔁|✅|🔵|☑️|🟢) [^:\n]{1,40}: /u
/** How a message begins that refuses, fails or has expired. */
const DEAD_END = /^(:no_entry:|⛔|:warning:|⚠️|:hourglass:|:x:)/u
/** The end of a change, by its headline. */
const OF_CHANGE = /^:(?:no_entry|x|hourglass): \*[A-Z]/
/** How one begins that says what was done. */
const SUCCESS = /^(:white_check_mark:|✅)/u
/** An id that people cannot read out: changes, incidents, requests of a log that nobody asked for. */
const LONG_ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/
/** A time or a day that stands in a cell of a table, and what says by which clock. */
const CELL_TIME = /^\d{4}-\d{2}-\d{2}/
const TIME_ZONE = /\bUTC\b|\b[A-Z][A-Za-z]+\/[A-Z]\w+/
/** The audit log says below its table whose ids these are, and what has to be copied into the settings is named. */
const RAW_ID = /(?<![\w/]|=…,)[UWS](?=[A-Z0-9]*\d)[A-Z0-9]{7,}(?!\w|` is |` to `roles\.|`, (?:your|their) Slack id, )/
const CLOCK = /(?<!\d)\d{1,2}:\d{2}(?!\d)/
/** Words that say it as a machine would, or that mean something else to readers. */
const STIFF = /\b(certainly|the platform|is told|(?:on|the) record (?:is|was|of who)|put on record)\b/i
/** Fields of the CDN's interface that people know by the label of the form. */
const FIELD_NAME =
  /\b(EncodingTier|EnabledResolutions|OutputCodecs|PlayerVersion|JitEncodingEnabled|ReplicationRegions|BlockNoneReferrer|EnableMP4Fallback|EnableMultiAudioTrackSupport|EnableTranscribing\w*|TranscribingCaptionLanguages|AllowEarlyPlay|AllowDirectPlay|KeepOriginalFiles|AutoSslIssuance|MonitorType|SmartRoutingType|LatencyZone|GeolocationLatitude|GeolocationLongitude)\b/
/** Enum values by their number: `A (0)`, `Premium (1)`. */
const ENUM_NUMBER = /\b(A|AAAA|CNAME|TXT|MX|Redirect|Flatten|PullZone|SRV|CAA|PTR|Script|NS|Premium|Free) \(\d+\)/
const ALL_FIELDS = /^[^\n]*\ball fields$/im
const POSTING = new Set(['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'response_url'])

interface Shown {
  readonly texts: readonly string[]
  readonly blocks: readonly Block[]
}

type Block = Readonly<Record<string, unknown>>

/** Where what was sent is not written for somebody at three in the morning; a sentence each, empty when nothing is wrong. */
export function styleProblems(sent: readonly Sent[]): readonly string[] {
  const problems = sent.flatMap(({ method, args }) => {
    const view = field(args, 'view')
    if (view !== undefined)
      return [...wordProblems(shownIn(view)), ...idProblems('', shownIn(view))].map(
        (problem) => `${method}: ${problem}`,
      )
    if (!POSTING.has(method) && !method.startsWith('answer to ')) return []
    const shown = shownIn(args)
    const text = textOf(field(args, 'text'))
    const found = [...wordProblems(shown), ...idProblems(text, shown), ...tableProblems(shown)]
    found.push(...twinProblems(text, shown), ...endProblems(text, shown))
    const isAlert = ALERT_TITLE.test(titleOf(shown))
    if (isAlert) found.push(...alertProblems(shown, method === 'response_url' ? MAX_ANSWER_CONTROLS : MAX_CONTROLS))
    return found.map((problem) => `${method}: ${problem}`)
  })
  return [...new Set(problems)]
}

function wordProblems({ texts }: Shown): readonly string[] {
  if (texts.some((text) => ALL_FIELDS.test(text.split('\n', 1).join()))) return []
  return texts.flatMap((text) => {
    const plain = withoutControls(text)
    const wrong: (readonly [string, RegExp])[] = [
      ['an id of 32 digits', LONG_ID],
      ['words', STIFF],
      ['a field name', FIELD_NAME],
      ['the number of a value', ENUM_NUMBER],
    ]
    return wrong.flatMap(([what, pattern]) => {
      const [match] = pattern.exec(plain) ?? []
      return match === undefined ? [] : [`${what}, ${match}: ${JSON.stringify(plain.slice(0, SHOWN_CHARACTERS))}`]
    })
  })
}

/** Cells cannot name people, and of the words beside the blocks a notification shows the first line. */
function idProblems(text: string, { blocks }: Shown): readonly string[] {
  const [first = ''] = text.split('\n', 1)
  const drawn = blocks.filter(({ type }) => type !== 'data_table')
  return [first, ...drawn.flatMap((block) => shownIn(block).texts)].flatMap((each) => {
    const [match] = RAW_ID.exec(withoutControls(each)) ?? []
    return match === undefined ? [] : [`a raw id, ${match}: ${JSON.stringify(each.slice(0, SHOWN_CHARACTERS))}`]
  })
}

function alertProblems({ blocks }: Shown, maxControls: number): readonly string[] {
  const found: string[] = []
  const [title = ''] = blocks.filter(({ type }) => type === 'header').map(({ text }) => textOf(field(text, 'text')))
  if (title.length > MAX_TITLE_CHARACTERS) found.push(`a title of ${title.length} characters: ${title}`)
  const chart = blocks.findIndex(({ type }) => type === 'data_visualization')
  const before = blocks.slice(0, chart).filter(({ type }) => type === 'section')
  const introduction = before.flatMap((block) => shownIn(block).texts.map(withoutControls)).join(' ')
  if (chart >= 0 && introduction.length > MAX_INTRODUCTION_CHARACTERS)
    found.push(`${introduction.length} characters before the chart: ${introduction}`)
  const controls = blocks.filter(({ type }) => type === 'actions').flatMap(({ elements }) => listOf(elements))
  if (controls.length > maxControls) found.push(`${controls.length} controls: ${title}`)
  const clocks = blocks.flatMap((block) => shownIn(block).texts.map(withoutControls)).filter((text) => CLOCK.test(text))
  found.push(...clocks.map((text) => `a clock time: ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`))
  return found
}

/** A caption may be hidden, so that the clock of a table's times stands in a line of its own. */
function tableProblems({ blocks }: Shown): readonly string[] {
  const isTable = ({ type }: Block): boolean => type === 'data_table'
  const isTimed = (block: Block): boolean => shownIn(block).texts.some((text) => CELL_TIME.test(text))
  if (!blocks.some((block) => isTable(block) && isTimed(block))) return []
  const lines = blocks.filter((block) => !isTable(block)).flatMap((block) => shownIn(block).texts)
  return lines.some((text) => TIME_ZONE.test(withoutControls(text)))
    ? []
    : ['times in a table, and no line of their zone']
}

/** What a notification shows begins like what the channel shows. */
function twinProblems(text: string, shown: Shown): readonly string[] {
  const title = titleOf(shown)
  if (title === '' || text === '') return []
  return text.startsWith(title) ? [] : [`the text does not begin with the title: ${text.slice(0, SHOWN_CHARACTERS)}`]
}

/**
 * A dead end goes on by a button or a menu, or says below what to do where only people can; that of a change has its
 * button always. Neither it nor a success is a speech.
 */
function endProblems(text: string, { blocks, texts }: Shown): readonly string[] {
  // The words beside the blocks carry no picture.
  const [first = text] = blocks.length === 0 ? texts : shownIn(blocks).texts
  const isEnd = DEAD_END.test(first)
  const isControl = ({ type, accessory }: Block): boolean => type === 'actions' || accessory !== undefined
  const isStuck = !blocks.some(isControl) && (blocks.length < 2 || OF_CHANGE.test(first))
  const found = isEnd && isStuck ? [`no way on from: ${first.slice(0, SHOWN_CHARACTERS)}`] : []
  const sentences = withoutControls(first)
    .split(/[.!?](?=\s|$)/)
    .filter((sentence) => sentence.trim() !== '').length
  if ((isEnd || SUCCESS.test(first)) && sentences > MAX_SENTENCES) found.push(`${sentences} sentences: ${first}`)
  return found
}

function titleOf({ blocks }: Shown): string {
  const [first] = blocks
  return first?.['type'] === 'header' ? textOf(field(first['text'], 'text')) : ''
}

/** Texts that people read, in order; ids, values and metadata left out. */
function shownIn(value: unknown): Shown {
  const texts: string[] = []
  collect(value, texts)
  return { texts, blocks: listOf(field(value, 'blocks')) }
}

function collect(value: unknown, texts: string[]): void {
  if (Array.isArray(value)) for (const part of value) collect(part, texts)
  if (typeof value !== 'object' || value === null) return
  const text = Object.getOwnPropertyDescriptor(value, 'text')?.value
  if (typeof text === 'string') texts.push(text)
  for (const [key, part] of Object.entries(value)) if (key !== 'value' && key !== 'metadata') collect(part, texts)
}

/** As it is read: our own control sequences show a name or a date in the reader's own clock. */
function withoutControls(text: string): string {
  const own = /<!date\^[^>]*>|<@[^>]*>|<!subteam\^[^>]*>|&(?:amp;)?lt;.*?&(?:amp;)?gt;/g
  return text.replaceAll(own, '').replaceAll(/<https?:[^|>]*\|([^>]*)>/g, '$1')
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): readonly Block[] {
  return Array.isArray(value) ? value.filter((part): part is Block => typeof part === 'object' && part !== null) : []
}
