import type { Stage } from '../stage/stage.ts'
import { renderMessage, renderView } from '../slack/render-text.ts'
import type { Person } from '../slack/person.ts'
import { DONE, type PersonOutcome } from '../slack/interactions.ts'
import { OPS } from '../slack/state/seed.ts'
import { type SeatKey, SEATS } from '../page/viewpoint.ts'

/** Long enough for a log query of a bot that has just started, which waits out its first ten seconds. */
const STEP_TIMEOUT_MS = 20_000
/** Long answers are cut on the terminal; Slack shows them whole. */
const MAX_LINES = 28

export interface Seen {
  readonly messages: string
  readonly view: string
  readonly slack: string
}

export interface Step {
  readonly who: SeatKey
  readonly does: string
  act(person: Person, stage: Stage): Promise<PersonOutcome>
  /** What has to be seen, all of it, for the step to be as expected. */
  readonly expect: readonly RegExp[]
  readonly never?: readonly RegExp[]
  /** A fact about the platform that has to hold once all is seen. */
  readonly check?: (stage: Stage) => boolean
}

/** Plays steps on a stage and prints each as readable text. Returns how many were as expected. */
export async function playTour(stage: Stage, steps: readonly Step[], print: (line: string) => void): Promise<number> {
  let good = 0
  for (const [index, step] of steps.entries()) {
    const { userId, role } = SEATS[step.who]
    const { realName } = stage.slack.workspace.member(userId)
    print(`\n── ${index + 1}/${steps.length} · ${realName} (${role}) ${step.does}`)
    const { seen, missing } = await play(stage, step)
    for (const line of shown(seen)) print(line)
    if (missing.length === 0) good += 1
    for (const what of missing) print(`   ✗ not as expected: ${what}`)
  }
  return good
}

async function play(stage: Stage, step: Step): Promise<{ seen: Seen; missing: readonly string[] }> {
  const person = stage.slack.person(SEATS[step.who].userId)
  const known = new Set(person.messages(OPS).map(keyOf))
  const before = viewText(person)
  const outcome = await step
    .act(person, stage)
    .catch((error: unknown) => ({ ok: false, shown: `This could not be done: ${String(error)}` }) as const)
  const look = (): Seen => ({
    messages: person
      .messages(OPS)
      .filter((message) => !known.has(keyOf(message)))
      .map(renderMessage)
      .join('\n'),
    view: viewText(person),
    slack: outcome.ok ? '' : outcome.shown,
  })
  try {
    await stage.slack.until(() => missingIn(look(), step, stage).length === 0, STEP_TIMEOUT_MS)
  } catch {
    // What is missing is said below.
  }
  const seen = look()
  const missing = missingIn(seen, step, stage)
  return { seen: seen.view === before && missing.length === 0 ? { ...seen, view: '' } : seen, missing }
}

function missingIn(seen: Seen, { expect, never = [], check }: Step, stage: Stage): readonly string[] {
  const all = `${seen.messages}\n${seen.view}\n${seen.slack}`
  return [
    ...expect.filter((pattern) => !pattern.test(all)).map((pattern) => `${pattern} was not seen`),
    ...never.filter((pattern) => pattern.test(all)).map((pattern) => `${pattern} was seen`),
    ...(check === undefined || check(stage) ? [] : ['the CDN is not as it should be']),
  ]
}

/** An edited message is new to see, so what it says is part of its key. */
function keyOf(message: ReturnType<Person['messages']>[number]): string {
  return `${message.ts} ${JSON.stringify(message.blocks)} ${message.text}`
}

function viewText(person: Person): string {
  const view = person.view()
  return view === undefined ? '' : renderView(view)
}

function shown({ slack, view, messages }: Seen): readonly string[] {
  const text = [slack, view, messages].filter((part) => part !== '').join('\n')
  const lines = text.split('\n').map((line) => `   │ ${line}`)
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES), `   │ … and ${lines.length - MAX_LINES} more lines`]
}

/** A viewer, two operators and an admin use all five operations of the platform, and an alert comes and goes. */
export function stepsOfTour(): readonly Step[] {
  return [...STEPS, ...alertSteps(), ada(types('/cdn audit verify'), [/\d+ entries intact/])]
}

type Doing = Pick<Step, 'does' | 'act'>

/** A step of somebody: what they do, what has to be seen then, and what else has to hold. */
const by =
  (who: SeatKey) =>
  (doing: Doing, expect: readonly RegExp[], more: Pick<Step, 'never' | 'check'> = {}): Step => ({
    who,
    ...doing,
    expect,
    ...more,
  })
const [vera, olga, otto, ada] = [by('vera'), by('olga'), by('otto'), by('ada')]

/** So many libraries are there, or requests for a record have arrived. */
const libraries = (count: number): Pick<Step, 'check'> => ({ check: ({ cdn }) => cdn.world.libraries.length === count })
const records = (count: number): Pick<Step, 'check'> => ({ check: ({ cdn }) => cdn.count('addDnsRecord') === count })

const APPROVAL_STEPS: readonly Step[] = [
  olga(types('/cdn library create films --encoding-tier premium', ', which costs money'), [
    /═══ Review ═══/,
    /costs money/,
    /Needs a second person because it costs money/,
    /\[Ask for approval\]/,
  ]),
  olga(
    submits('Ask for approval'),
    [/Waiting for approval/, /films/, /@olga needs one operator or admin/, /\[Approve …\]/],
    libraries(1),
  ),
  olga(
    presses('Approve …', ' under her own request'),
    [/You asked for this yourself/, /Nothing was done/],
    libraries(1),
  ),
  otto(
    presses('Approve …', ' and reads what exactly it is about'),
    [/═══ Approve\? ═══/, /films/, /Premium/i, /Asked by @olga/],
    libraries(1),
  ),
  otto(
    enters('presses “Approve”: it is sent, and the one message about it says so'),
    [/created video library .*films/, /Approved by @otto/, /\(edited\)/],
    libraries(2),
  ),
  olga(types('/cdn dns add media A www 192.0.2.44', ': a rule says that this zone takes two people'), [
    /═══ Review ═══/,
    /Zone media needs a second person/,
  ]),
  olga(submits('Ask for approval'), [/Waiting for approval/, /192\.0\.2\.44/, /\[Decline …\]/]),
  otto(presses('Decline …'), [/═══ Decline\? ═══/, /Why not\?/]),
  otto(
    enters('writes “Not before Monday”, and presses “Decline”', { reason: 'Not before Monday' }),
    [/Declined: nothing was sent/, /by @otto/, /Not before Monday/],
    records(2),
  ),
]

const STEPS: readonly Step[] = [
  vera(types('/cdn'), [/What do you need/, /storage stats/, /More commands/, /You are a viewer/], {
    never: [/keys list/, /dns add/],
  }),
  ada(types('/cdn zones add storage 103 archive'), [/archive.*storage zone 103/, /Undo/]),
  vera(types('/cdn storage stats shop'), [
    /shop holds \d+ GB, .* since \d{4}-\d\d-\d\d; .* files/,
    /Storage zone shop \(101\)/,
    /Storage used in GB, by day/,
    /Number of files, by day/,
    /All days/,
    /Share in channel/,
  ]),
  vera(presses('Share in channel', ' under it'), [/Shared by @vera/, /Storage zone shop/]),
  vera(
    types('/cdn keys list', ', which is not for viewers'),
    [/Only operators and admins can use keys list; you are a viewer/, /Nothing was done/, /@ada/],
    { check: ({ cdn }) => cdn.count('listApiKeys') === 0 },
  ),
  olga(types('/cdn keys list'), [/2,500 API keys of the account/, /Page 1 of 50/, /…[0-9a-f]{4}/], {
    never: [/[0-9a-f]{20}/],
  }),
  olga(presses('Next', ' under it'), [/Page 2 of 50/]),
  olga(
    types('/cdn dns add shop MX @ 10 mail.example.net'),
    [/═══ Review ═══/, /@ \(zone root\)/, /mail\.example\.net/, /CDN Ops can’t remove it/, /Not sent yet/],
    records(0),
  ),
  olga(
    submits('Add record'),
    [/═══ Done ═══/, /@olga added an MX record .* to DNS zone .*201/, /\[All fields\]/],
    records(1),
  ),
  olga(types('/cdn dns add shop', ' and gets the form'), [/Type/, /shop \(201\)/, /\[Review\]/]),
  olga(
    {
      does: 'chooses A: the form is drawn again with the fields of that type',
      act: (person) => person.choose('type', 'A'),
    },
    [/Weight/, /IPv4 address \*/],
  ),
  olga(
    enters('enters www and “not an address”, and presses “Review”', { name: 'www', value: 'not an address' }),
    [/IPv4/i, /not an address/],
    records(1),
  ),
  olga(enters('corrects it to 192.0.2.10, and presses “Review”', { value: '192.0.2.10' }), [
    /═══ Review ═══/,
    /192\.0\.2\.10/,
  ]),
  olga(
    {
      does: 'presses “Add record”, and the CDN dies before it answers',
      act(person, { cdn }) {
        cdn.faults.set('addDnsRecord', { kind: 'reset', carriedOut: true }, { times: 1 })
        return person.submit()
      },
    },
    [
      /═══ Unknown ═══/,
      /it may or may not have happened/,
      /2\. Look in DNS zone shop/,
      /never sent again by itself/,
      /changes show/,
      /\[It exists\]/,
    ],
    records(2),
  ),
  olga(
    { ...presses('It exists'), does: 'looks: it is there. She presses “It exists” under the message about it' },
    [/\*Done\* \(by @olga\)/, /A person looked: it is there/],
    records(2),
  ),
  olga(types('/cdn library create', ' and gets the form'), [/Step 1 of 4/, /Name/]),
  olga(enters('names it demo, and goes on to the encoding', { name: 'demo' }), [/Step 2 of 4/, /1080p/]),
  olga(enters('chooses two resolutions, and goes on', { resolutions: ['720p', '1080p'] }), [/Step 3 of 4/]),
  olga(enters('goes on past playback and access'), [/Step 4 of 4/]),
  olga(submits('Review'), [/═══ Review ═══/, /demo/, /720p,1080p/], {
    check: ({ cdn }) => cdn.count('createVideoLibrary') === 0,
  }),
  olga(
    submits('Create library'),
    [/═══ Done ═══/, /demo/, /@olga created video library/, /storage/, /pull zone/],
    libraries(1),
  ),
  ...APPROVAL_STEPS,
  ada(types('/cdn library create trailers --encoding-tier premium', ', which she may confirm herself'), [
    /═══ Review ═══/,
    /costs money/,
    /Premium/i,
  ]),
  ada({ does: 'closes the review without confirming', act: (person) => person.closeView() }, [/^\s*$/], libraries(2)),
  vera(types('/cdn logs 301 --since 1h'), [/MISS/, /STALE/], { never: [/token=[A-Za-z0-9]/, /Mozilla/, /:\d\d\.\d/] }),
  vera(types('/cdn changes list'), [/MX/, /demo/, /films/, /declined/i]),
]

const SHOP_ID = 301n
/** An alert takes minutes to be sure, and some more until it is over. */
const FACTOR = 240
const SLOWER = 60
/** The past that the failure of a moment ago belongs to. */
const TEST = '/cdn alerts test origin-failing 301 --critical 20'

export function alertSteps(): readonly Step[] {
  let end: (untilMs: number) => void = () => undefined
  /** With time at another speed from then on. */
  const atSpeed = (factor: number, { does, act }: Doing): Doing => ({
    does,
    act(person, stage) {
      stage.clock.setFactor(factor)
      return act(person, stage)
    },
  })
  return [
    olga(types('/cdn alerts add origin-failing 301', ': this channel is told from now on'), [
      /Origin failing/,
      /301/,
      /Undo/,
    ]),
    olga(
      atSpeed(FACTOR, {
        does: `waits, with time at ${FACTOR}×, while the shop’s origin fails`,
        async act(_, { cdn, clock }) {
          end = cdn.world.addIncident({ pullZoneId: SHOP_ID, kind: 'origin outage', fromMs: clock.now().getTime() })
          return DONE
        },
      }),
      [/# 🔴 [^:]+: origin failing, visitors get/, /301/, /\[Acknowledge\]/, /Silence this zone for 1 hour/],
    ),
    // Requests count against the limit in real time: those for what follows are kept back.
    olga(atSpeed(SLOWER, presses('Acknowledge', ' under it')), [/Looked after by @olga/, /\(edited\)/]),
    vera(types('/cdn status 301'), [/shop: origin failing/i, /Hit ratio/, /Firing/]),
    olga(
      atSpeed(FACTOR, {
        does: 'waits until the origin is up again and the alert is over: the same message says so',
        async act(_, { clock }) {
          end(clock.now().getTime())
          return DONE
        },
      }),
      [/# ✅ [^:]+: origin works again/, /Back to/, /✅ Resolved after/, /@olga/],
    ),
    vera(atSpeed(1, types(TEST, ', which tries other limits on what is known before they wake anybody')), [
      /Would have fired/,
      /of that time is known/,
    ]),
  ]
}

/** People look before they press. By then the bot knows where in Slack its message stands. */
const LOOK_MS = 200

function types(command: string, why = ''): Doing {
  return { does: `types ${command}${why}`, act: async (person) => person.command(OPS, command) }
}

function enters(does: string, entries: Parameters<Parameters<Step['act']>[0]['submit']>[0] = {}): Doing {
  return { does, act: async (person) => person.submit(entries) }
}

function submits(label: string): Doing {
  return enters(`presses “${label}”`)
}

/** A button of the newest message that has it; the question that may come first is accepted. */
function presses(label: string, why = ''): Doing {
  return {
    does: `presses “${label}”${why}`,
    async act(person, { clock }) {
      await clock.sleep(LOOK_MS)
      for (const message of person.messages(OPS).toReversed()) {
        for (const block of message.blocks) {
          if (block.type !== 'actions') continue
          const element = block.elements.find((each) => each.type === 'button' && each.text.text === label)
          if (element?.action_id !== undefined) return person.click({ message }, block.block_id, element.action_id)
        }
      }
      throw new Error(`No message has a button “${label}”`)
    },
  }
}
