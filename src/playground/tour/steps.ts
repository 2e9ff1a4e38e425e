import type { Person } from '../slack/person.ts'
import type { PersonOutcome } from '../slack/outcome.ts'
import { OPS } from '../slack/seed.ts'
import type { Step } from './tour.ts'

/** The stories of the tour: a viewer, an operator and an admin use all five operations of the platform. */
export const TOUR: readonly Step[] = [
  {
    who: 'Vera',
    does: 'types /cdn',
    act: types('/cdn'),
    expect: [/Your role is viewer/, /storage stats/, /changes list/],
    never: [/`\/cdn keys list/, /\[dns add/],
  },
  {
    who: 'Ada',
    does: 'gives a storage zone a name: types /cdn zones add storage 101 shop',
    act: types('/cdn zones add storage 101 shop'),
    expect: [/shop.*storage zone 101/, /Undo/],
  },
  {
    who: 'Ada',
    does: 'the same for a DNS zone: types /cdn zones add dns 201 shop',
    act: types('/cdn zones add dns 201 shop'),
    expect: [/shop.*DNS zone 201/i],
  },
  {
    who: 'Vera',
    does: 'types /cdn storage stats shop',
    act: types('/cdn storage stats shop'),
    expect: [
      /Storage zone shop \(101\)/,
      /Storage used in GB, by day/,
      /Number of files, by day/,
      /All days/,
      /Share in channel/,
    ],
  },
  {
    who: 'Vera',
    does: 'presses “Share in channel” under it',
    act: (person) => presses(person, 'Share in channel'),
    expect: [/Shared by @vera/, /Storage zone shop/],
  },
  {
    who: 'Vera',
    does: 'types /cdn keys list, which is not for viewers',
    act: types('/cdn keys list'),
    expect: [/keys list needs the role operator; yours is viewer/, /Nothing was done/, /@ada/],
    check: ({ cdn }) => cdn.count('listApiKeys') === 0,
  },
  {
    who: 'Olga',
    does: 'types /cdn keys list',
    act: types('/cdn keys list'),
    expect: [/Page 1 of 50/, /2,500 keys/, /…[0-9a-f]{4}/],
    never: [/[0-9a-f]{20}/],
  },
  {
    who: 'Olga',
    does: 'presses “Next” under it',
    act: (person) => presses(person, 'Next'),
    expect: [/Page 2 of 50/],
  },
  {
    who: 'Olga',
    does: 'types /cdn dns add shop MX @ 10 mail.example.net',
    act: types('/cdn dns add shop MX @ 10 mail.example.net'),
    expect: [
      /═══ Review ═══/,
      /MX \(4\)/,
      /mail\.example\.net/,
      /CDN Ops cannot remove it/,
      /Nothing has been sent yet/,
    ],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 0,
  },
  {
    who: 'Olga',
    does: 'presses “Add record” in the review',
    act: (person) => person.submit(),
    expect: [/═══ Done ═══/, /The MX record .* was added to DNS zone .*201/, /Its id is/, /Asked by @olga/],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 1,
  },
  {
    who: 'Olga',
    does: 'types /cdn dns add shop and gets the form',
    act: types('/cdn dns add shop'),
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
    does: 'presses “Add record”, and the platform dies before it answers',
    act: (person, { cdn }) => {
      cdn.faults.set('addDnsRecord', { kind: 'reset', carriedOut: true }, { times: 1 })
      return person.submit()
    },
    expect: [
      /═══ Unknown ═══/,
      /it may or may not have happened/,
      /What to check/,
      /never sent again by itself/,
      /changes show/,
    ],
    check: ({ cdn }) => cdn.count('addDnsRecord') === 2,
  },
  {
    who: 'Olga',
    does: 'types /cdn library create and gets the form',
    act: types('/cdn library create'),
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
    does: 'presses “Review”',
    act: (person) => person.submit(),
    expect: [/═══ Review ═══/, /demo/, /720p,1080p/],
    check: ({ cdn }) => cdn.count('createVideoLibrary') === 0,
  },
  {
    who: 'Olga',
    does: 'presses “Create library”',
    act: (person) => person.submit(),
    expect: [/═══ Done ═══/, /demo/, /storage zone/i, /pull zone/i, /keys are in/, /Asked by @olga/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  {
    who: 'Olga',
    does: 'types /cdn library create films --encoding-tier premium, which costs money',
    act: types('/cdn library create films --encoding-tier premium'),
    expect: [/your role cannot start it alone/, /Nothing was done/, /@ada/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  {
    who: 'Ada',
    does: 'types the same',
    act: types('/cdn library create films --encoding-tier premium'),
    expect: [/═══ Review ═══/, /costs money/, /Premium/i],
  },
  {
    who: 'Ada',
    does: 'closes the review without confirming',
    act: (person) => person.closeView(),
    expect: [/^\s*$/],
    check: ({ cdn }) => cdn.world.libraries.length === 1,
  },
  {
    who: 'Vera',
    does: 'types /cdn logs 301 --since 1h',
    act: types('/cdn logs 301 --since 1h'),
    expect: [/MISS/, /STALE/],
    never: [/token=[A-Za-z0-9]/],
  },
  {
    who: 'Vera',
    does: 'types /cdn changes list',
    act: types('/cdn changes list'),
    expect: [/unknown/i, /MX/, /demo/],
  },
]

function types(command: string): (person: Person) => Promise<PersonOutcome> {
  return (person) => person.command(OPS, command)
}

/** Presses a button of the newest message that has it. */
async function presses(person: Person, label: string): Promise<PersonOutcome> {
  for (const message of person.messages(OPS).toReversed()) {
    for (const block of message.blocks) {
      if (block.type !== 'actions') continue
      const element = block.elements.find((each) => each.type === 'button' && each.text.text === label)
      if (element?.action_id !== undefined) return person.click({ message }, block.block_id, element.action_id)
    }
  }
  throw new Error(`No message has a button “${label}”`)
}
