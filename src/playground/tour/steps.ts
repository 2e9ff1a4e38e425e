import type { FastClock } from '../fast-clock.ts'
import { alertSteps } from './alert-steps.ts'
import { APPROVAL_STEPS } from './approval-steps.ts'
import { presses, submits, types } from './doing.ts'
import type { Step } from './tour.ts'

const STEPS: readonly Step[] = [
  {
    who: 'Vera',
    ...types('/cdn'),
    expect: [/Your role is viewer/, /storage stats/, /changes list/],
    never: [/`\/cdn keys list/, /\[dns add/],
  },
  {
    who: 'Ada',
    ...types('/cdn zones add storage 101 shop'),
    expect: [/shop.*storage zone 101/, /Undo/],
  },
  {
    who: 'Ada',
    ...types('/cdn zones add dns 201 shop'),
    expect: [/shop.*DNS zone 201/i],
  },
  {
    who: 'Vera',
    ...types('/cdn storage stats shop'),
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
    ...presses('Share in channel', ' under it'),
    expect: [/Shared by @vera/, /Storage zone shop/],
  },
  {
    who: 'Vera',
    ...types('/cdn keys list', ', which is not for viewers'),
    expect: [/keys list needs the role operator; yours is viewer/, /Nothing was done/, /@ada/],
    check: ({ cdn }) => cdn.count('listApiKeys') === 0,
  },
  {
    who: 'Olga',
    ...types('/cdn keys list'),
    expect: [/Page 1 of 50/, /2,500 keys/, /…[0-9a-f]{4}/],
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
    ...submits('Add record'),
    expect: [/═══ Done ═══/, /The MX record .* was added to DNS zone .*201/, /Its id is/, /Asked by @olga/],
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
    expect: [/═══ Done ═══/, /demo/, /storage zone/i, /pull zone/i, /keys are in/, /Asked by @olga/],
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
    never: [/token=[A-Za-z0-9]/],
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
  expect: [/\d+ entries/, /sound/i],
}

/**
 * The stories of the tour: a viewer, two operators and an admin use all five operations of the platform, and an alert
 * comes and goes. `clock` is that of the whole stage.
 */
export function stepsOfTour(clock: FastClock): readonly Step[] {
  return [...STEPS, ...alertSteps(clock), LAST]
}
