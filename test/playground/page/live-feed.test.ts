import { describe, expect, it, vi } from 'vitest'
import { html } from '../../../src/playground/page/html.ts'
import { type Outlet, startFeed } from '../../../src/playground/page/live-feed.ts'
import { REGIONS, type Regions } from '../../../src/playground/page/regions.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const blank = Object.fromEntries(REGIONS.map((name) => [name, html``])) as unknown as Regions

/** A feed whose page, clock and reader a test moves by hand. */
function feed() {
  const clock = new TurnedClock()
  const listeners = new Set<() => void>()
  const written: string[] = []
  const outlet = {
    writableLength: 0,
    ended: false,
    destroyed: false,
    onClose: () => undefined as void,
    write: (text: string) => written.push(text) > 0,
    end() {
      outlet.ended = true
    },
    destroy() {
      outlet.destroyed = true
    },
    on: (_event: 'close', listener: () => void) => void (outlet.onClose = listener),
  }
  const page = { regions: blank, draws: 0 }
  const draw = async () => {
    page.draws += 1
    return page.regions
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  startFeed({ clock, draw, subscriptions: [subscribe] }, outlet as unknown as Outlet)
  const sent = () =>
    written
      .filter((text) => text.startsWith('event: regions'))
      .map((text) => JSON.parse(text.split('data: ')[1] ?? '') as object)
  const change = () => listeners.forEach((listener) => listener())
  return { clock, listeners, written, outlet, page, sent, change }
}

describe('what an open page is sent', () => {
  it('is everything at first', async () => {
    const { sent } = feed()
    await vi.waitFor(() => expect(sent()).toEqual([Object.fromEntries(REGIONS.map((name) => [name, '']))]))
  })

  it('is afterwards only what looks different', async () => {
    const { sent, page, change, clock } = feed()
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    page.regions = { ...blank, content: html`<p>new</p>` }
    change()
    clock.turn(40)
    await vi.waitFor(() => expect(sent().slice(1)).toEqual([{ content: '<p>new</p>' }]))
  })

  it('is drawn once for changes that come together', async () => {
    const { sent, page, change, clock } = feed()
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    const before = clock.timers
    for (let times = 0; times < 50; times += 1) change()
    expect(clock.timers).toBe(before + 1)
    clock.turn(40)
    await vi.waitFor(() => expect(page.draws).toBe(2))
    expect(sent()).toHaveLength(1)
  })

  it('ends when the page goes away, and leaves nothing behind', async () => {
    const { sent, page, outlet, listeners, clock } = feed()
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    outlet.onClose()
    expect(listeners.size).toBe(0)
    expect(outlet.ended).toBe(true)
    clock.turn(10_000)
    expect(page.draws).toBe(1)
  })

  it('ends for a browser that does not read', async () => {
    const { outlet, sent } = feed()
    outlet.writableLength = 8_000_001
    await vi.waitFor(() => expect(sent()).toHaveLength(1))
    expect(outlet.destroyed).toBe(true)
  })
})
