import { describe, expect, it } from 'vitest'
import { VERA } from '../../../src/playground/slack/seed.ts'
import { field, openForm } from './open-form.ts'
import { option } from './sample-blocks.ts'
import type { Scene, Script } from './scripted-app.ts'

const zones = { type: 'external_select', action_id: 'zone', min_query_length: 0 }
const offer: Script = ({ value }) => ({ options: [option(`${typeof value === 'string' ? value : ''}-1`)] })
const queries = (on: Scene) => on.received.slice(1).map(({ value }) => value)
const typing = (on: Scene, query: string) => on.person(VERA).typeahead('zone', 'zone', query)

/** Lets what was resolved go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('Typing into an external select', () => {
  it('asks the app once nothing more is typed for 300 ms', async () => {
    const on = await openForm([field('zone', zones)], offer)
    const letters = [typing(on, 's'), typing(on, 'sh')]
    on.clock.turn(299)
    letters.push(typing(on, 'sho'))
    on.clock.turn(299)
    await settled()
    expect(queries(on)).toEqual([])
    on.clock.turn(1)
    expect(await Promise.all(letters)).toEqual([undefined, undefined, { ok: true, options: [option('sho-1')] }])
    expect(queries(on)).toEqual(['sho'])
  })

  it('does not show an answer that comes after the next letter', async () => {
    const on = await openForm([field('zone', zones)], (payload, type, extra) =>
      payload['value'] === 'slow' ? 'silence' : offer(payload, type, extra),
    )
    const slow = typing(on, 'slow')
    on.clock.turn(300)
    await settled()
    const { id } = on.parts.deliveries.all.at(-1)!
    const next = typing(on, 'next')
    on.parts.deliveries.acknowledge(id, { options: [option('stale')] })
    expect(await slow).toBeUndefined()
    on.clock.turn(300)
    expect(await next).toEqual({ ok: true, options: [option('next-1')] })
    expect(queries(on)).toEqual(['slow', 'next'])
  })
})
