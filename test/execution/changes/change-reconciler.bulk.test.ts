import { expect, it } from 'vitest'
import { shortId } from '../../../src/shared/short-id.ts'
import { actor, RECORD, useBench } from '../../support/execution-bench.ts'

const bench = useBench()
const GRACE_MS = 10_000

it('what was confirmed and nobody is at is sent oldest first where there is more than one round takes on', async () => {
  const ids: string[] = []
  for (let n = 0; n < 103; n += 1) {
    const person = actor('operator', `UP${n}`)
    bench.people.list(person)
    ids.push((await bench.confirmed(RECORD, person)).id)
    bench.clock.turn(1)
  }
  bench.clock.turn(GRACE_MS)
  await bench.reconciler.reconcile()
  expect(bench.written).toEqual(ids.slice(0, 100).map((id) => `cdn-ops ${shortId(id)}`))
  await bench.reconciler.reconcile()
  expect(bench.written).toHaveLength(103)
})
