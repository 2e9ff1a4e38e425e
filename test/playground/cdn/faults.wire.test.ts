import { afterEach, describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

afterEach(() => emulator.it.faults.clear())

const create = () => emulator.management('/videolibrary', { method: 'POST', body: { Name: 'x' } })
const libraries = () => emulator.it.world.libraries.length

describe('a missing answer', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('by reset, carried out %s, adds %i', async (carriedOut, added) => {
    const before = libraries()
    emulator.it.faults.set('createVideoLibrary', { kind: 'reset', carriedOut })
    await expect(create()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) })
    expect(libraries()).toBe(before + added)
    expect(emulator.it.requests.at(-1)).toMatchObject({ status: undefined, carriedOut, fault: 'reset' })
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('by silence, carried out %s, adds %i', async (carriedOut, added) => {
    const before = libraries()
    const arrived = emulator.it.count('createVideoLibrary')
    emulator.it.faults.set('createVideoLibrary', { kind: 'hang', carriedOut })
    const stop = new AbortController()
    const call = emulator.management('/videolibrary', { method: 'POST', body: { Name: 'x' }, signal: stop.signal })
    const outcome = call.catch(String)
    await expect.poll(() => emulator.it.count('createVideoLibrary')).toBe(arrived + 1)
    await expect.poll(() => emulator.it.requests.at(-1)?.fault).toBe('hang')
    await expect.poll(libraries).toBe(before + added)
    stop.abort(new Error('Enough'))
    expect(await outcome).toBe('Error: Enough')
    expect(emulator.it.requests.at(-1)).toMatchObject({ status: undefined, carriedOut })
  })
})

describe('a late answer', () => {
  it('comes when the time has passed, and the write is done before', async () => {
    const before = libraries()
    emulator.it.faults.set('createVideoLibrary', { kind: 'slow', delayMs: 5_000 })
    let answered = false
    const call = create().finally(() => (answered = true))
    await expect.poll(() => emulator.clock.timers).toBe(1)
    expect([answered, libraries()]).toEqual([false, before + 1])
    emulator.clock.turn(4_999)
    expect(emulator.clock.timers).toBe(1)
    emulator.clock.turn(1)
    expect((await call).status).toBe(201)
  })
})
