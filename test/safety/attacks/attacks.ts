import type { Attack } from './attack.ts'
import { DOOR_ATTACKS } from './door-attacks.ts'
import { PEOPLE_ATTACKS } from './people-attacks.ts'
import { PLATFORM_ATTACKS } from './platform-attacks.ts'
import { SECRET_ATTACKS } from './secret-attacks.ts'
import { TEXT_ATTACKS } from './text-attacks.ts'

/** Every attack that the bot is built to withstand, with the tests that show it. */
export const ATTACKS: readonly Attack[] = [
  ...TEXT_ATTACKS,
  ...PEOPLE_ATTACKS,
  ...DOOR_ATTACKS,
  ...SECRET_ATTACKS,
  ...PLATFORM_ATTACKS,
]
