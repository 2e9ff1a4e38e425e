import { presses, submits, types } from './doing.ts'
import type { Step } from './tour.ts'

const PREMIUM = '/cdn library create films --encoding-tier premium'
const RECORD = '/cdn dns add media A www 192.0.2.44'

export const APPROVAL_STEPS: readonly Step[] = [
  {
    who: 'Olga',
    ...types(PREMIUM, ', which costs money'),
    expect: [/═══ Review ═══/, /costs money/, /Somebody else has to approve this/, /\[Ask for approval\]/],
  },
  {
    who: 'Olga',
    ...submits('Ask for approval'),
    expect: [/Waiting for approval/, /films/, /Asked by @olga/, /\[Approve …\]/],
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
    expect: [/films.*was created/, /Approved by @otto/, /\(edited\)/],
    check: ({ cdn }) => cdn.world.libraries.length === 2,
  },
  {
    who: 'Olga',
    ...types(RECORD, ': a rule says that this zone takes two people'),
    expect: [/═══ Review ═══/, /The DNS zone media takes two people/],
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
