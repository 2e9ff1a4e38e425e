import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from '../../../src/shared/secret.ts'
import { type ChainedRow, createAuditChain } from '../../../src/store/schema/audit-chain.ts'

const ROW: ChainedRow = {
  seq: 2,
  at: 1_763_632_800_123,
  actor: 'U1',
  team: 'T1',
  operation: 'dns add',
  event: 'done',
  changeId: 'c1',
  summary: 'Added "a"\n',
  detail: null,
}
/** Written out: a record made years ago must verify with the program of today. */
const HASHED = '["before",2,1763632800123,"U1","T1","dns add","done","c1","Added \\"a\\"\\n",null]'

test('an entry is hashed in a form that never changes', () => {
  const key = 'a key that is not in the database'
  const plain = createAuditChain(undefined)
  const keyed = createAuditChain(new Secret(key))
  expect(plain.hash('before', ROW)).toBe(createHash('sha256').update(HASHED).digest('hex'))
  expect(keyed.hash('before', ROW)).toBe(createHmac('sha256', key).update(HASHED).digest('hex'))
  expect([plain.keyed, keyed.keyed]).toEqual([false, true])
})
