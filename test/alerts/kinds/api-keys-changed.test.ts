import { describe, expect, it } from 'vitest'
import { apiKeysChanged } from '../../../src/alerts/kinds/api-keys-changed.ts'
import { compareKeys, type KnownKey } from '../../../src/alerts/watch/keys-watch.ts'

const A: KnownKey = { id: '1', roles: ['Admin'] }
const B: KnownKey = { id: '2', roles: ['Reader', 'Writer'] }
const complete = (...keys: readonly KnownKey[]) => ({ complete: true, keys })

describe('baseline', () => {
  it('is the first complete listing, and silent', () => {
    expect(compareKeys(undefined, complete(B, A))).toEqual({ snapshot: [A, B], changes: [] })
  })

  it('may be empty: then the first key is new', () => {
    expect(compareKeys([], complete(A)).changes).toEqual([{ what: 'new', id: '1', roles: ['Admin'] }])
  })

  it('is no incomplete one', () => {
    expect(compareKeys(undefined, { complete: false, keys: [A] })).toEqual({ snapshot: undefined, changes: [] })
  })
})

describe('new', () => {
  it('is a key that was not listed before', () => {
    expect(compareKeys([A], complete(A, B))).toEqual({
      snapshot: [A, B],
      changes: [{ what: 'new', id: '2', roles: ['Reader', 'Writer'] }],
    })
  })
})

describe('gone', () => {
  it('is a key that is not listed any more, with the roles it had', () => {
    expect(compareKeys([A, B], complete(A)).changes).toEqual([{ what: 'gone', id: '2', roles: ['Reader', 'Writer'] }])
  })
})

describe('roles changed', () => {
  it('is a key with other roles', () => {
    const changed = { id: '2', roles: ['Writer', 'Owner'] }
    expect(compareKeys([A, B], complete(A, changed)).changes).toEqual([
      { what: 'roles changed', id: '2', roles: ['Owner', 'Writer'], before: ['Reader', 'Writer'] },
    ])
  })

  it('is not their order, nor one that is listed twice', () => {
    expect(
      compareKeys([B], complete({ id: '2', roles: ['Writer'] }, { id: '2', roles: ['Reader', 'Writer'] })).changes,
    ).toEqual([])
  })
})

describe('incomplete listing', () => {
  it('proves nothing and leaves the snapshot as it is', () => {
    expect(compareKeys([A, B], { complete: false, keys: [] })).toEqual({ snapshot: [A, B], changes: [] })
  })
})

describe('declaration', () => {
  it('is an event about the account, without parameters', () => {
    expect(apiKeysChanged).toMatchObject({ subject: 'account', parameters: [] })
  })
})
