import { type Random, seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import { GUS, VERA } from '../../../src/playground/slack/state/seed.ts'
import { OUTSIDE_POINTS } from './outside-points.ts'
import type { Round } from './rounds.ts'
import { LEASE_MS } from './stage.ts'
import { STORY_NAMES, type StoryName } from './stories.ts'
import { ANY_TAG } from './transaction-tags.ts'

type Setting = NonNullable<Round['settings']>

/** Nothing listens at port 1. */
const nothingThere: Setting = () => ({ CDN_API_URL: 'http://127.0.0.1:1' })
const configured: Setting = ({ configFile }) => ({ CONFIG_FILE: configFile })
const otherViewers: Setting = () => ({ VIEWERS: `${VERA},${GUS}` })

/** What transactions write, and the story in which they do. Before its commit, and after: two points each. */
const TRANSACTIONS: readonly (readonly [tag: string, story: StoryName, settings?: Setting])[] = [
  ['draft', 'record'],
  ['draft_saved', 'form'],
  ['requested', 'record'],
  ['sending', 'record'],
  ['done', 'record'],
  ['shown', 'record'],
  ['rejected', 'refused'],
  ['not_sent', 'record', nothingThere],
  ['unknown', 'lostAnswer'],
  ['not_done', 'lostRequest'],
  ['approval', 'approval'],
  ['approved', 'approval'],
  ['message', 'approval'],
  ['message_claimed', 'approval'],
  ['message_delivered', 'approval'],
  ['break_glass', 'breakGlass', configured],
  ['denied', 'declined'],
  ['cancelled', 'cancelled'],
  ['zone_added', 'zones'],
  ['zone_removed', 'zones'],
  ['delivery', 'zones'],
  ['read', 'keys'],
  ['answer', 'library'],
  ['alert_acknowledged', 'handOver'],
  ['alert_taken_over', 'handOver'],
  ['alert_noted', 'handOver'],
  ['alert_released', 'handOver'],
  ['digest_told', 'digest'],
  ['roles_changed', 'keys', otherViewers],
  ['policy_changed', 'keys', configured],
]

const STORY_OF_OUTSIDE: Readonly<Record<string, StoryName>> = {
  'acknowledged click:before': 'approval',
  'acknowledged click:after': 'approval',
  // A write of one person is told once, by its end; a request of two has a message that is edited.
  'chat.update:before': 'approval',
  'chat.update:after': 'approval',
}

/** Where a transaction of one kind has to have been interrupted for another one to happen at the next start. */
const RECOVERY: readonly Round[] = [
  inside('sending', 'after', 'record'),
  { ...inside('unknown', 'before', 'keys'), point: 'recovered:before', pauseMs: LEASE_MS },
  { ...inside('unknown', 'after', 'keys'), point: 'recovered:after' },
]

/** Every named point once, each with the story that comes by it. */
export const POINT_ROUNDS: readonly Round[] = [
  ...TRANSACTIONS.flatMap(([tag, story, settings]) =>
    (['before', 'after'] as const).map((side) => inside(tag, side, story, settings)),
  ),
  ...OUTSIDE_POINTS.map((outside): Round => ({
    point: outside.name,
    story: STORY_OF_OUTSIDE[outside.name] ?? 'record',
    outside,
  })),
  ...RECOVERY,
]

/** The names of all points, each once. */
export const POINT_NAMES: readonly string[] = [...new Set(POINT_ROUNDS.map(({ point }) => point))]

function inside(tag: string, side: 'before' | 'after', story: StoryName, settings?: Setting): Round {
  return { point: `${tag}:${side}`, story, inside: { tag, side }, ...(settings !== undefined && { settings }) }
}

/** The longest a random life lasts: some end while the bot is still starting, some after everything is done. */
const LONGEST_LIFE_MS = 1_800
/** The most transactions that one round makes. */
const MOST_COMMITS = 14

/** Rounds that end at a moment nobody chose: so long after the start, or at some transaction. The same for a seed. */
export function randomRounds(count: number, seed: string): readonly Round[] {
  const random = seededRandom(`${seed}/kill`)
  return Array.from({ length: count }, () => randomRound(random))
}

function randomRound(random: Random): Round {
  const story = random.pick(STORY_NAMES)
  if (random.next() < 0.5) return { point: 'random moment', story, afterMs: random.integer(1, LONGEST_LIFE_MS) }
  const side = random.pick(['before', 'after'] as const)
  const inside = { tag: ANY_TAG, side, nth: random.integer(1, MOST_COMMITS) }
  return { point: `random commit:${side}`, story, inside }
}
