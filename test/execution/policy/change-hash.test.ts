import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ChangeService } from '../../../src/execution/changes/change-service.ts'
import { digestWith } from '../../../src/execution/policy/change-hash.ts'
import { recheck } from '../../../src/execution/changes/recheck.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { actor, reviewed, useBench } from '../../support/execution-bench.ts'

const bench = useBench()

const under = (key: string | undefined) => digestWith(key === undefined ? undefined : new Secret(key))

/** The bench where the record has this key. */
function keyed(key: string) {
  const services = { ...bench.services, digest: under(key) }
  return { services, operation: (name: string) => bench.operation(name), changes: new ChangeService(services) }
}

it('is a plain hash without a key, and with one nothing that can be tried out without it', () => {
  const plain = createHash('sha256').update('text').digest('hex')
  expect(under(undefined)('text')).toBe(plain)
  const digests = ['one key', 'another key'].map((key) => under(key)('text'))
  expect(new Set([plain, ...digests]).size).toBe(3)
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(under('one key')('text')).toBe(digests[0])
})

it('keeps nothing of the values of a change that could be tried out without the key', async () => {
  const { change: plain } = await reviewed(bench)
  const { change: one } = await reviewed(keyed('one key'))
  const { change: same } = await reviewed(keyed('one key'))
  expect([same.hash, same.requestHash]).toEqual([one.hash, one.requestHash])
  expect(one.hash).not.toBe(plain.hash)
  expect(one.requestHash).not.toBe(plain.requestHash)
})

it('binds what was confirmed to the key, for its submission and for each look after it', async () => {
  const { changes, services, operation } = keyed('one key')
  const { change } = await reviewed({ changes, operation })
  const olga = actor('operator')
  await expect(keyed('another key').changes.submit(change.id, olga)).rejects.toMatchObject({ code: 'expired' })
  const submitted = await changes.submit(change.id, olga)
  expect(submitted.kind).toBe('confirmed')
  expect(await recheck(services, submitted.change)).toMatchObject({ open: [] })
  expect(await recheck(keyed('another key').services, submitted.change)).toHaveProperty('stopped')
})
