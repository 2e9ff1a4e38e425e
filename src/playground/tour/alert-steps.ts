import type { FastClock } from '../fast-clock.ts'
import { DONE } from '../slack/interactions.ts'
import { presses, types } from './doing.ts'
import type { Step } from './tour.ts'

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
      expect: [/# 🔴 Critical: /, /301/, /\[Acknowledge\]/, /\[Silence 1 h\]/],
    },
    {
      who: 'Olga',
      does: 'presses “Acknowledge” under it',
      async act(person, stage) {
        // Requests count against the limit in real time: those for what follows are kept back.
        clock.setFactor(SLOWER)
        return presses('Acknowledge').act(person, stage)
      },
      expect: [/Acknowledged by @olga/, /\(edited\)/],
    },
    {
      who: 'Vera',
      ...types('/cdn status 301'),
      expect: [/Pull zone 301 now/, /Hit ratio/, /Firing/],
    },
    {
      who: 'Olga',
      does: 'waits until the origin is up again and the alert is over: the same message says so',
      async act() {
        end(clock.now().getTime())
        clock.setFactor(FACTOR)
        return DONE
      },
      expect: [/# ✅ Resolved: /, /Lasted/, /\(edited\)/],
    },
    {
      who: 'Vera',
      does: `types ${TEST}, which tries other limits on what is known before they wake anybody`,
      async act(person, stage) {
        clock.setFactor(1)
        return types(TEST).act(person, stage)
      },
      expect: [/It would have fired/, /of that time is known/],
    },
  ]
}
