import { describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const planted = ['planted-canary-key-0001', 'planted-canary-key-0002']
const emulator = new RunningEmulator({ canaries: { apiKeys: planted } })

describe('the list of API keys', () => {
  it('holds 2,500 keys in pages of 1,000 by default', async () => {
    const first = (await emulator.management('/apikey')).json
    expect(first).toMatchObject({ CurrentPage: 1, TotalItems: 2_500, HasMoreItems: true })
    expect(first.Items).toHaveLength(1_000)
    const last = (await emulator.management('/apikey?page=3')).json
    expect(last).toMatchObject({ CurrentPage: 3, HasMoreItems: false })
    expect(last.Items).toHaveLength(500)
  })

  it('begins with the own key and the planted ones, and has an id beyond 2^53 and missing values', async () => {
    const { Items } = (await emulator.management('/apikey?perPage=20')).json
    expect(Items.slice(0, 3).map(({ Key }) => Key)).toEqual([emulator.it.accessKey, ...planted])
    expect(Items.map(({ Id }) => Id)).toContain(9_007_199_254_740_993n)
    expect(Items.some(({ Key }) => Key === null)).toBe(true)
    expect(Items.some(({ Roles }) => Roles === null)).toBe(true)
    expect(Items[5]!.Key).toMatch(/^[0-9a-f-]{72}$/)
  })

  it.each([
    ['page=0', 'page'],
    ['page=2147483648', 'page'],
    ['page=-1', 'page'],
    ['page=one', 'page'],
    ['perPage=4', 'perPage'],
    ['perPage=1001', 'perPage'],
    ['perpage=50', 'perpage'],
  ])('refuses %s', async (query, field) => {
    const reply = await emulator.management(`/apikey?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.json).toMatchObject({ ErrorKey: 'validation_error', Field: field })
  })
})
