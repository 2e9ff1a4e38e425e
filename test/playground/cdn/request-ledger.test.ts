import { describe, expect, it } from 'vitest'
import { RequestLedger } from '../../../src/playground/cdn/request-ledger.ts'

function arrival(path: string) {
  return { endpoint: 'listApiKeys', method: 'GET', path, query: {}, at: new Date('2026-11-20T18:00:00Z') } as const
}

describe('the ledger', () => {
  it('keeps the newest 10,000 requests and counts all', () => {
    const ledger = new RequestLedger()
    for (let index = 0; index < 10_002; index += 1) ledger.arrive(arrival(`/${index}`))
    expect(ledger.entries).toHaveLength(10_000)
    expect(ledger.entries[0]?.path).toBe('/2')
    expect(ledger.count('listApiKeys')).toBe(10_002)
    expect(ledger.count('queryLogs')).toBe(0)
  })

  it('completes an entry as its request is served, but not what was handed out before', () => {
    const ledger = new RequestLedger()
    const note = ledger.arrive(arrival('/apikey'))
    const before = ledger.entries
    note({ status: 200, carriedOut: true })
    expect(ledger.entries).toMatchObject([{ path: '/apikey', status: 200, carriedOut: true }])
    expect(before).toMatchObject([{ status: undefined, carriedOut: false }])
  })

  it('tells of an arrival and of each thing noted, until nobody listens', () => {
    const ledger = new RequestLedger()
    let told = 0
    const stop = ledger.subscribe(() => (told += 1))
    const note = ledger.arrive(arrival('/apikey'))
    note({ body: undefined })
    note({ status: 200 })
    expect(told).toBe(3)
    stop()
    note({ carriedOut: true })
    expect(told).toBe(3)
  })
})
