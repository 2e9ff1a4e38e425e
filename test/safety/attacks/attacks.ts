import type { Attack } from './attack.ts'
import { CHANGE_BUGS } from './change-bugs.ts'
import { DOOR_ATTACKS } from './door-attacks.ts'
import { PEOPLE_ATTACKS } from './people-attacks.ts'
import { PLATFORM_ATTACKS } from './platform-attacks.ts'
import { SECRET_ATTACKS } from './secret-attacks.ts'
import { TEXT_ATTACKS } from './text-attacks.ts'

/** Every attack and mistake that the bot or its tests are built to withstand, with the tests that show it: the seeded bugs. */
export const ATTACKS: readonly Attack[] = [
  ...TEXT_ATTACKS,
  ...PEOPLE_ATTACKS,
  ...DOOR_ATTACKS,
  ...SECRET_ATTACKS,
  ...PLATFORM_ATTACKS,
  ...CHANGE_BUGS,
]
