import { type Cell, cells } from './cells.ts'
import { createFloor } from './floor.ts'
import { IDENTITIES, type IdentityName } from './identities.ts'
import { meet } from './meeting.ts'
import { expected } from './rule.ts'
import { RULES } from './rules.ts'

export const CELLS = cells()

/** Lets every `step`th cell of somebody happen on the real floor; says where it came to something else than the rules say. */
export async function disagreements(who: IdentityName, step: number): Promise<readonly string[]> {
  const floor = await createFloor(IDENTITIES[who])
  const wrong: string[] = []
  for (const cell of CELLS.filter((each, index) => each.who === who && index % step === 0)) {
    const result = await meet(floor, cell)
    const [wanted] = expected(cell, RULES)
    if (result !== wanted) wrong.push(`${nameOf(cell)}: ${wanted}, and it was ${result}`)
  }
  await floor.memory.close()
  return wrong
}

/** A cell in words. */
export function nameOf({ who, what, where, state }: Cell): string {
  return [who, what, where, state].join(' | ')
}
