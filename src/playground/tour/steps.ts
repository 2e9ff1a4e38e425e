import type { FastClock } from '../stage/fast-clock.ts'
import type { Step } from './tour.ts'
import { DONE } from '../slack/interactions.ts'
import { OPS } from '../slack/state/seed.ts'

const PREMIUM = '/cdn library create films --encoding-tier premium'
const RECORD = '/cdn dns add media A www 192.0.2.44'

const APPROVAL_STEPS: readonly Step[] = [
  {
    who: 'Olga',
    ...types(PREMIUM, ', which costs money'),
    expect: [/═══ Review ═══/, /costs money/, /Needs a second person because it costs money/, /\[Ask for approval\]/],
  },
  {
    who: 'Olga',
    ...submits('Ask for approval'),
    expect: [/Waiting for approval/, /films/, /@olga needs one operator or admin/, /\[Approve …\]/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  {
    who: 'Olga',
    ...presses('Approve …', ' under her own request'),
    expect: [/You asked for this yourself/, /Nothing was done/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  {
    who: 'Otto',
    ...presses('Approve …', ' and reads what exactly it is about'),
    expect: [/═══ Approve\? ═══/, /films/, /Premium/i, /Asked by @olga/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  {
    who: 'Otto',
    does: 'presses “Approve”: it is sent, and the one message about it says so',
    act: (person) => person.submit(),
    expect: [/created video library .*films/, /Approved by @otto/, /\(edited\)/],
    check: ({ cdn }) => cdn.world.libraries.length === 2,
  },
  {
    who: 'Olga',
    ...types(RECORD, ': a rule says that this zone takes two people'),
    expect: [/═══ Review ═══/, /Zone media needs a second person/],
  },
  {
    who: 'Olga',
    ...submits('Ask for approval'),
    expect: [/Waiting for approval/, /192\.0\.2\.44/, /\[Decline …\]/],
  },
  {
    who: 'Otto',
    ...presses('Decline …'),
    expect: [/═══ Decline\? ═══/, /Why not\?/],
  },
  {
    who: 'Otto',
    does: 'writes “Not before Monday”, and presses “Decline”',
    act: (person) => person.submit({ reason: 'Not before Monday' }),
    expect: [/Declined: nothing was sent/, /by @otto/, /Not before Monday/],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 2,
  },
]

const STEPS: readonly Step[] = [
  {
    who: 'Vera',
    ...types('/cdn'),
    expect: [/What do you need/, /storage stats/, /More commands/, /You are a viewer/],
    never: [/keys list/, /dns add/],
  },
  {
    who: 'Ada',
    ...types('/cdn zones add storage 103 archive'),
    expect: [/archive.*storage zone 103/, /Undo/],
  },
  {
    who: 'Vera',
    ...types('/cdn storage stats shop'),
    expect: [
      /shop holds \d+ GB, .* since \d{4}-\d\d-\d\d; .* files/,
      /Storage zone shop \(101\)/,
      /Storage used in GB, by day/,
      /Number of files, by day/,
      /All days/,
      /Share in channel/,
    ],
  },
  {
    who: 'Vera',
    ...presses('Share in channel', ' under it'),
    expect: [/Shared by @vera/, /Storage zone shop/],
  },
  {
    who: 'Vera',
    ...types('/cdn keys list', ', which is not for viewers'),
    expect: [/Only operators and admins can use keys list; you are a viewer/, /Nothing was done/, /@ada/],
    check: ({ cdn }) => cdn.count('listApiKeys') === 0,
  },
  {
    who: 'Olga',
    ...types('/cdn keys list'),
    expect: [/2,500 API keys of the account/, /Page 1 of 50/, /…[0-9a-f]{4}/],
    never: [/[0-9a-f]{20}/],
  },
  {
    who: 'Olga',
    ...presses('Next', ' under it'),
    expect: [/Page 2 of 50/],
  },
  {
    who: 'Olga',
    ...types('/cdn dns add shop MX @ 10 mail.example.net'),
    expect: [/═══ Review ═══/, /@ \(zone root\)/, /mail\.example\.net/, /CDN Ops can’t remove it/, /Not sent yet/],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 0,
  },
  {
    who: 'Olga',
    ...submits('Add record'),
    expect: [/═══ Done ═══/, /@olga added an MX record .* to DNS zone .*201/, /\[All fields\]/],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 1,
  },
  {
    who: 'Olga',
    ...types('/cdn dns add shop', ' and gets the form'),
    expect: [/Type/, /shop \(201\)/, /\[Review\]/],
  },
  {
    who: 'Olga',
    does: 'chooses A: the form is drawn again with the fields of that type',
    act: (person) => person.choose('type', 'A'),
    expect: [/Weight/, /IPv4 address \*/],
  },
  {
    who: 'Olga',
    does: 'enters www and “not an address”, and presses “Review”',
    act: (person) => person.submit({ name: 'www', value: 'not an address' }),
    expect: [/IPv4/i, /not an address/],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 1,
  },
  {
    who: 'Olga',
    does: 'corrects it to 192.0.2.10, and presses “Review”',
    act: (person) => person.submit({ value: '192.0.2.10' }),
    expect: [/═══ Review ═══/, /192\.0\.2\.10/],
  },
  {
    who: 'Olga',
    does: 'presses “Add record”, and the CDN dies before it answers',
    act: (person, { cdn }) => {
      cdn.faults.set('addDnsRecord', { kind: 'reset', carriedOut: true }, { times: 1 })
      return person.submit()
    },
    expect: [
      /═══ Unknown ═══/,
      /it may or may not have happened/,
      /2\. Look in DNS zone shop/,
      /never sent again by itself/,
      /changes show/,
      /\[It exists\]/,
    ],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 2,
  },
  {
    who: 'Olga',
    does: 'looks: it is there. She presses “It exists” under the message about it',
    act: presses('It exists').act,
    expect: [/\*Done\* \(by @olga\)/, /A person looked: it is there/],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 2,
  },
  {
    who: 'Olga',
    ...types('/cdn library create', ' and gets the form'),
    expect: [/Step 1 of 4/, /Name/],
  },
  {
    who: 'Olga',
    does: 'names it demo, and goes on to the encoding',
    act: (person) => person.submit({ name: 'demo' }),
    expect: [/Step 2 of 4/, /1080p/],
  },
  {
    who: 'Olga',
    does: 'chooses two resolutions, and goes on',
    act: (person) => person.submit({ resolutions: ['720p', '1080p'] }),
    expect: [/Step 3 of 4/],
  },
  {
    who: 'Olga',
    does: 'goes on past playback and access',
    act: (person) => person.submit(),
    expect: [/Step 4 of 4/],
  },
  {
    who: 'Olga',
    ...submits('Review'),
    expect: [/═══ Review ═══/, /demo/, /720p,1080p/],
    check: ({ cdn }) => cdn.count('createVideoLibrary') === 0,
  },
  {
    who: 'Olga',
    ...submits('Create library'),
    expect: [/═══ Done ═══/, /demo/, /@olga created video library/, /storage/, /pull zone/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  ...APPROVAL_STEPS,
  {
    who: 'Ada',
    ...types('/cdn library create trailers --encoding-tier premium', ', which she may confirm herself'),
    expect: [/═══ Review ═══/, /costs money/, /Premium/i],
  },
  {
    who: 'Ada',
    does: 'closes the review without confirming',
    act: (person) => person.closeView(),
    expect: [/^\s*$/],
    check: ({ cdn }) => cdn.world.libraries.length === 2,
  },
  {
    who: 'Vera',
    ...types('/cdn logs 301 --since 1h'),
    expect: [/MISS/, /STALE/],
    never: [/token=[A-Za-z0-9]/, /Mozilla/, /:\d\d\.\d/],
  },
  {
    who: 'Vera',
    ...types('/cdn changes list'),
    expect: [/MX/, /demo/, /films/, /declined/i],
  },
]

const LAST: Step = {
  who: 'Ada',
  ...types('/cdn audit verify'),
  expect: [/\d+ entries intact/],
}

/**
 * The stories of the tour: a viewer, two operators and an admin use all five operations of the platform, and an alert
 * comes and goes. `clock` is that of the whole stage.
 */
export function stepsOfTour(clock: FastClock): readonly Step[] {
  return [...STEPS, ...alertSteps(clock), LAST]
}

const SHOP_ID = 301n
/** An alert takes minutes to be sure, and some more until it is over. */
const FACTOR = 240
const SLOWER = 60
/** The past that the failure of a moment ago belongs to. */
const TEST = '/cdn alerts test origin-failing 301 --critical 20'
const ADD = '/cdn alerts add origin-failing 301'

export function alertSteps(clock: Pick<FastClock, 'now' | 'setFactor'>): readonly Step[] {
  let end: (untilMs: number) => void = () => undefined
  return [
    {
      who: 'Olga',
      ...types(ADD, ': this channel is told from now on'),
      expect: [/Origin failing/, /301/, /Undo/],
    },
    {
      who: 'Olga',
      does: `waits, with time at ${FACTOR}×, while the shop’s origin fails`,
      async act(_, { cdn }) {
        end = cdn.world.incidents.add({ pullZoneId: SHOP_ID, kind: 'origin outage', fromMs: clock.now().getTime() })
        clock.setFactor(FACTOR)
        return DONE
      },
      expect: [/# 🔴 [^:]+: origin failing, visitors get/, /301/, /\[Acknowledge\]/, /Silence this zone for 1 hour/],
    },
    {
      who: 'Olga',
      does: 'presses “Acknowledge” under it',
      async act(person, stage) {
        // Requests count against the limit in real time: those for what follows are kept back.
        clock.setFactor(SLOWER)
        return presses('Acknowledge').act(person, stage)
      },
      expect: [/Looked after by @olga/, /\(edited\)/],
    },
    {
      who: 'Vera',
      ...types('/cdn status 301'),
      expect: [/shop: origin failing/i, /Hit ratio/, /Firing/],
    },
    {
      who: 'Olga',
      does: 'waits until the origin is up again and the alert is over: the same message says so',
      async act() {
        end(clock.now().getTime())
        clock.setFactor(FACTOR)
        return DONE
      },
      expect: [/# ✅ [^:]+: origin works again/, /Back to/, /✅ Resolved after/, /@olga/],
    },
    {
      who: 'Vera',
      does: `types ${TEST}, which tries other limits on what is known before they wake anybody`,
      async act(person, stage) {
        clock.setFactor(1)
        return types(TEST).act(person, stage)
      },
      expect: [/Would have fired/, /of that time is known/],
    },
  ]
}

type Doing = Pick<Step, 'does' | 'act'>

/** People look before they press. By then the bot knows where in Slack its message stands. */
const LOOK_MS = 200

export function types(command: string, why = ''): Doing {
  return { does: `types ${command}${why}`, act: async (person) => person.command(OPS, command) }
}

function submits(label: string): Doing {
  return { does: `presses “${label}”`, act: async (person) => person.submit() }
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
