import { expect, it } from 'vitest'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'
import { EvaluatedZone, NOON, rule } from '../evaluated-zone.ts'

const at = (minute: number): Date => new Date((NOON + minute) * 60_000)
const silence = { id: 's', subject: 'pull/301', by: 'U2', from: at(0), until: at(60) }
const ORIGIN = rule('origin-failing', { mention: 'S1' })
const CACHE = rule('cache-not-working')
const HOLE = { stale: 0.28 }
const LITTLE = { stale: 0.03 }
/** Two hours late. */
const LATE_MS = 7_200_000
/** Somebody looks after it. */
const HELD = { acknowledgedBy: 'U3' }
const silenced = (until: number, kind?: string) => ({ silences: [{ ...silence, kind, until: at(until) }] })
/** Somebody is called after so many minutes in which nobody has acknowledged it. */
const next = (minutes?: number) => ({ ...ORIGIN, escalate: 'U9', escalateAfterMs: minutes && minutes * 60_000 })

type Changes = Partial<Pick<EvaluatedZone, 'rules' | 'silences' | 'acknowledgedBy'>>
type Step = Parameters<EvaluatedZone['look']> | Changes | 'dismiss' | 'release'
function play(zone: EvaluatedZone, steps: readonly Step[]): void {
  for (const step of steps)
    if (step === 'dismiss') zone.dismiss()
    else if (step === 'release') zone.release()
    else if (Array.isArray(step)) zone.look(...step)
    else Object.assign(zone, step)
}

it.each<[name: string, steps: readonly Step[], heard: string, rules?: readonly AlertRule[]]>([
  ['begins with its second minute where it is critical', [[2, HOLE]], '2 card, open 1 critical'],
  ['is told to be over', [[5, HOLE], [60]], '2 card, 17 card, 17 ended, ended 1 over'],
  [
    'calls after a quarter of an hour, and every four hours',
    [[300, HOLE]],
    '2 card, 17 nobody acknowledged S1 aloud, 242 reminder S1 aloud, open 1 critical',
  ],
  ['calls nobody once somebody looks after it', [[10, HOLE], HELD, [290, HOLE]], '2 card, open U3 1 critical'],
  [
    'is said to be worse at once, whoever looks after it',
    [[20, LITTLE], HELD, [14, { stale: 0.2 }]],
    '4 card, 21 card, 21 worse S1 aloud, open 1 critical',
  ],
  [
    'begins again within six hours, and later as another',
    [[5, HOLE], [120], [5, HOLE], [420], [5, HOLE]],
    '2 card, 17 card, 17 ended, 127 card, 127 begins again S1 aloud, 142 card, 142 ended, 552 card, open 1 critical',
  ],
  [
    'is joined, and ends with the last of it',
    [[30, { stale: 0.2 }], [30, { stale: 0.2, bypass: 0.4 }], [60, { stale: 0.2 }], [60]],
    '2 card, 17 nobody acknowledged S1 aloud, 33 joined, 69 ended one of several, 128 card, 128 ended, ended 1 over over',
    [ORIGIN, CACHE],
  ],
  [
    'says once that what has lasted is usual now',
    [[400, { bypass: 0.4 }]],
    '3 card, 243 card, 243 new normal, ended 1 over',
    [CACHE],
  ],
  [
    'rings again when what joins is graver than all before',
    [[20, { bypass: 0.4 }], HELD, [10, { bypass: 0.4, stale: 0.3 }]],
    '3 card, 22 card, 22 joined S1 aloud, open 1 critical warning',
    [ORIGIN, CACHE],
  ],
  [
    'is joined quietly within six hours',
    [[10, LITTLE], HELD, [350, LITTLE], [20, { stale: 0.03, bypass: 0.4 }]],
    '4 card, 363 joined, open U3 1 warning warning',
    [ORIGIN, CACHE],
  ],
  [
    'is joined aloud after six hours',
    [[10, LITTLE], HELD, [351, LITTLE], [20, { stale: 0.03, bypass: 0.4 }]],
    '4 card, 364 card, 364 joined aloud, open 1 warning warning',
    [ORIGIN, { ...CACHE, mention: 'S2' }],
  ],
  [
    'is joined aloud six hours after the last word of it, whatever ended in a silence since',
    [
      [250, LITTLE],
      [30, { stale: 0.03, bypass: 0.4 }],
      silenced(400, 'cache-not-working'),
      [340, LITTLE],
      [20, { stale: 0.03, bypass: 0.4 }],
    ],
    '4 card, 253 joined, 623 card, 623 joined aloud, open 1 warning warning',
    [ORIGIN, CACHE],
  ],
  [
    'stays looked after when a part of it ends after six hours',
    [[10, LITTLE], HELD, [370, LITTLE], { rules: [ORIGIN] }, [1, LITTLE]],
    '4 card, 381 ended one of several, open U3 1 warning unwatched',
    [ORIGIN, { ...ORIGIN, id: 'ending' }],
  ],
  [
    'that flaps says so aloud, and calls nobody for what does not fire',
    [[15], [3, HOLE], [15], [3, HOLE], [15], [3, HOLE], [20]],
    '17 card, 32 card, 32 ended, 35 card, 35 begins again S1 aloud, 50 card, 50 ended, 53 card, 53 flapping S1 aloud, open 3 critical',
  ],
  [
    'calls the group of its rule as that is now',
    [[10, HOLE], { rules: [{ ...ORIGIN, mention: 'S2' }] }, [8, HOLE]],
    '2 card, 17 nobody acknowledged S2 aloud, open 1 critical',
  ],
  [
    'of which one alert ends as another is usual now has ended',
    [[242, { bypass: 0.4, stale: 0.2 }], { rules: [CACHE] }, [1, { bypass: 0.4, stale: 0.2 }]],
    '2 card, 3 joined, 17 nobody acknowledged S1 aloud, 242 reminder S1 aloud, 243 card, 243 ended, ended 1 unwatched over',
    [ORIGIN, CACHE],
  ],
  ['ends when its rule is gone', [[5, HOLE], { rules: [] }, [1, HOLE]], '2 card, 6 card, 6 ended, ended 1 unwatched'],
  [
    'resolves nothing when nothing is known any more',
    [
      [5, LITTLE],
      [240, { unread: true }],
    ],
    '4 card, open 1 warning',
  ],
  ['is told when a silence is over and it still fires', [silenced(20), [20, HOLE]], '18 card, open 1 critical'],
  ['is never told when it is on its way out by then', [silenced(60), [20, HOLE], [34], { silences: [] }, [60]], ''],
  [
    'becomes worse in a silence without a word',
    [[20, LITTLE], silenced(60), [30, { stale: 0.2 }]],
    '4 card, open 1 critical',
  ],
  [
    'is told once more when a silence is over',
    [[10, HOLE], silenced(40), [60, HOLE]],
    '2 card, 38 silence over S1 aloud, open 1 critical',
  ],
  [
    'of which a part is silenced says nothing of the end of that',
    [[60, { stale: 0.03, bypass: 0.4 }], silenced(90, 'cache-not-working'), [8, LITTLE], [5, { stale: 0.2 }]],
    '3 card, 7 joined, 69 card, 69 worse S1 aloud, open 1 critical over',
    [ORIGIN, CACHE],
  ],
  [
    'of which a part is silenced is told to be over with its rules',
    [[20, { stale: 0.2, bypass: 0.4 }], silenced(90, 'cache-not-working'), { rules: [] }, [2]],
    '2 card, 3 joined, 17 nobody acknowledged S1 aloud, 21 card, 21 ended, ended 1 unwatched unwatched',
    [ORIGIN, CACHE],
  ],
  [
    'calls nobody for what is silenced when something else joins',
    [
      [30, { bypass: 0.6 }],
      silenced(300, 'cache-not-working'),
      [20, { bypass: 0.6 }],
      [40, { bypass: 0.6, stale: 0.03 }],
    ],
    '3 card, 5 card, 5 worse S2 aloud, 20 nobody acknowledged S2 aloud, 58 joined, open 1 critical warning',
    [
      { ...ORIGIN, mention: undefined },
      { ...CACHE, mention: 'S2' },
    ],
  ],
  [
    'of which one silence is over calls nobody for what another one holds',
    [
      [30, { bypass: 0.6, stale: 0.03 }],
      {
        silences: [
          { ...silence, until: at(60) },
          { ...silence, kind: 'cache-not-working', until: at(300) },
        ],
      },
      [60, { bypass: 0.6, stale: 0.03 }],
    ],
    '3 card, 5 card, 5 worse S2 aloud, 8 joined, 20 nobody acknowledged S2 aloud, 58 silence over, open 1 critical warning',
    [
      { ...ORIGIN, mention: undefined },
      { ...CACHE, mention: 'S2' },
    ],
  ],
  [
    'whose rule is paused in a silence says nothing of the end of that',
    [[10, HOLE], silenced(30), [2, HOLE], { rules: [{ ...ORIGIN, pausedWhy: 'Archived.' }] }, [40, HOLE]],
    '2 card, open 1 critical',
  ],
  ['ends in a silence without a word', [[10, HOLE], silenced(60), [45]], '2 card, 18 card, ended 1 over'],
  [
    'says in a silence to whoever looks after it that it ended',
    [[10, HOLE], HELD, silenced(60), [45]],
    '2 card, 18 card, 18 ended silenced until 60, ended U3 1 over',
  ],
  [
    'nor of a silence that was ended just before',
    [[10, HOLE], HELD, silenced(60), [7], { silences: [] }, [1]],
    '2 card, 18 card, 18 ended, ended U3 1 over',
  ],
  [
    'says nothing of a silence of something else',
    [[10, HOLE], HELD, silenced(60, 'cache-not-working'), [45]],
    '2 card, 18 card, 18 ended, ended U3 1 over',
  ],
  [
    'calls as long after a silence as it would have',
    [[5, HOLE], silenced(10), [40, HOLE]],
    '2 card, 8 silence over S1 aloud, 23 nobody acknowledged S1 aloud, open 1 critical',
  ],
  [
    'calls once where it is both heard again and a quarter of an hour old',
    [[10, HOLE], silenced(19), [60, HOLE]],
    '2 card, 17 silence over S1 aloud, open 1 critical',
  ],
  ['is critical where 5 % of the lines fail', [[10, { stale: 0.05 }]], '3 card, open 1 critical'],
  [
    'is critical where half of the lines go round the cache',
    [[10, { bypass: 0.5 }]],
    '3 card, 5 card, 5 worse aloud, open 1 critical',
    [CACHE],
  ],
  [
    'says nothing of a silence without a group to call aloud',
    [[10, LITTLE], silenced(40), [60, LITTLE]],
    '4 card, 38 silence over, open 1 warning',
  ],
  [
    'nor to whoever looks after it',
    [[10, HOLE], HELD, silenced(40), [60, HOLE]],
    '2 card, 38 silence over, open U3 1 critical',
  ],
  [
    'calls nobody every four hours in a silence',
    [[200, HOLE], silenced(300), [60, HOLE]],
    '2 card, 17 nobody acknowledged S1 aloud, open 1 critical',
  ],
  [
    'that flaps ends once the half hour is over',
    [[15], [3, HOLE], [15], [3, HOLE], [15], [3, HOLE], [60]],
    '17 card, 32 card, 32 ended, 35 card, 35 begins again S1 aloud, 50 card, 50 ended, 53 card, 53 flapping S1 aloud, 83 card, 83 ended, ended 3 over',
  ],
  [
    'says that it is improving, and is back',
    [[5, { behind: 30 }], [5, { behind: 12 }], [10]],
    '1 card, 8 de-escalated, 13 card, 13 ended, ended 1 over',
    [rule('cannot-look', { mention: 'S1' })],
  ],
  [
    'whose rule is paused stays as it is',
    [[5, HOLE], { rules: [{ ...ORIGIN, pausedWhy: 'Archived.' }] }, [60], { rules: [ORIGIN] }, [1]],
    '2 card, 66 card, 66 ended, ended 1 over',
  ],
  [
    'whose rule goes on once it flaps is said to',
    [
      [5, HOLE],
      { rules: [{ ...ORIGIN, pausedWhy: 'Archived.' }] },
      [15],
      [3, HOLE],
      [15],
      [3, HOLE],
      { rules: [ORIGIN] },
      [1, HOLE],
    ],
    '2 card, 42 flapping, 42 nobody acknowledged S1 aloud, open 1 critical',
  ],
  [
    'of old news gets no replies',
    [
      [5, HOLE, LATE_MS],
      [120, {}, LATE_MS],
      [50, HOLE, LATE_MS],
    ],
    '2 card, 17 card, 127 card, open 2 critical',
  ],
  [
    'of news that is half an hour old gets them still',
    [
      [5, HOLE, LATE_MS / 4],
      [20, {}, LATE_MS / 4],
    ],
    '2 card, 17 card, 17 ended, ended 1 over',
  ],
  [
    'calls those whom nobody called once looks are in time again',
    [
      [20, HOLE, LATE_MS],
      [10, HOLE],
    ],
    '2 card, 21 nobody acknowledged S1 aloud, open 1 critical',
  ],
  [
    'that is no problem is another when it begins anew',
    [[5, HOLE], 'dismiss', [100, HOLE], [60], [5, HOLE]],
    '2 card, 167 card, ended 1 critical, open 1 critical',
  ],
  [
    'that is no problem is another when it becomes graver',
    [[20, LITTLE], 'dismiss', [10, LITTLE], [30, { stale: 0.2 }], [60]],
    '4 card, 31 card, 46 nobody acknowledged S1 aloud, 69 card, 69 ended, ended 1 warning, ended 1 over',
  ],
  [
    'calls who is next after five minutes',
    [[200, HOLE]],
    '2 card, 7 nobody acknowledged U9 aloud, 17 nobody acknowledged S1 aloud, open 1 critical',
    [next(5)],
  ],
  [
    'after a quarter of an hour',
    [[200, HOLE]],
    '2 card, 17 nobody acknowledged U9 S1 aloud, open 1 critical',
    [next(15)],
  ],
  [
    'as well where nothing is said of when',
    [[200, HOLE]],
    '2 card, 17 nobody acknowledged U9 S1 aloud, open 1 critical',
    [next()],
  ],
  [
    'after forty minutes',
    [[200, HOLE]],
    '2 card, 17 nobody acknowledged S1 aloud, 42 nobody acknowledged U9 aloud, open 1 critical',
    [next(40)],
  ],
  [
    'calls nobody who is next once somebody looks after it',
    [[10, HOLE], HELD, [60, HOLE]],
    '2 card, open U3 1 critical',
    [next()],
  ],
  ['nor once it is over', [[5, HOLE], [60]], '2 card, 17 card, 17 ended, ended 1 over', [next()]],
  [
    'nor while it is silenced, and so long after',
    [[10, HOLE], silenced(60), [90, HOLE]],
    '2 card, 58 silence over S1 aloud, 73 nobody acknowledged U9 aloud, open 1 critical',
    [next()],
  ],
  [
    'calls all anew, as long after, once nobody looks after it',
    [[20, HOLE], HELD, [40, HOLE], 'release', [60, HOLE]],
    '2 card, 17 nobody acknowledged U9 S1 aloud, 77 nobody acknowledged U9 S1 aloud, open 1 critical',
    [next()],
  ],
  [
    'calls who is next anew after a silence',
    [[30, HOLE], silenced(60), [80, HOLE]],
    '2 card, 17 nobody acknowledged U9 S1 aloud, 58 silence over S1 aloud, 73 nobody acknowledged U9 aloud, open 1 critical',
    [next()],
  ],
  [
    'and when it begins again',
    [[30, HOLE], [60], [30, HOLE]],
    '2 card, 17 nobody acknowledged U9 S1 aloud, 38 card, 38 ended, 92 card, 92 begins again S1 aloud, 107 nobody acknowledged U9 S1 aloud, open 2 critical',
    [next()],
  ],
])('an incident %s', (_, steps, heard, rules = [ORIGIN]) => {
  const zone = new EvaluatedZone(...rules)
  play(zone, steps)
  expect(zone.heard()).toBe(heard)
})
