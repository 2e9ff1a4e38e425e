import { describe, expect, it, vi } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { deliver, TYPED_READ } from '../../support/recording-app.ts'
import { newTrigger, useSlackBench } from '../../support/slack-bench.ts'
import { cpuSince } from '../../support/cpu-spent.ts'

const bench = useSlackBench()

async function typed(text: string, user = 'UOLGA', acknowledge?: () => Promise<void>): Promise<readonly string[]> {
  const payload = { ...TYPED_READ, text, user_id: user, trigger_id: newTrigger() }
  await deliver(bench.slack, 'command', payload, acknowledge)
  return bench.said()
}
const buttons = (): readonly string[] => {
  const blocks = JSON.stringify(bench.calls.at(-1)?.args['blocks'])
  return [...blocks.matchAll(/"type":"button".*?"text":"([^"]*)"/g)].map(([, label = '']) => label)
}
const methods = () => bench.calls.map(({ method }) => method).filter((method) => method !== 'users.info')

const OR_WAITS = 'If none is there, or it only says to wait, ask again.'

describe('a typed command', () => {
  it('without words is help, for everybody', async () => {
    expect(await typed('', 'UNOBODY')).toEqual(['This is the help.'])
  })

  it('that is a read is answered to the caller alone', async () => {
    expect(await typed('lines list', 'UVERA')).toEqual(['Three lines.'])
    expect(bench.calls.at(-1)?.args).toMatchObject({ response_type: 'ephemeral' })
  })

  it('that is no operation says so, with what may have been meant', async () => {
    expect(await typed('lines lost')).toEqual(['Did you mean /cdn lines list?'])
    expect(buttons()).toEqual(['Run it'])
    await typed('record ad shop 192.0.2.10')
    expect(bench.said().at(-1)).toBe('Did you mean /cdn record add shop 192.0.2.10?')
    expect(buttons()).toEqual(['Open the form'])
    await typed('record ad shop 192.0.2.10', 'UVERA')
    expect(buttons()).toEqual([])
    const kept = vi.spyOn(bench.store.answers, 'put')
    await typed('keys lst --one 1')
    expect(buttons()).toEqual(['Show its help'])
    const help = { kind: 'page', operation: 'help', values: { operation: 'keys list' } }
    expect(kept).toHaveBeenCalledWith(expect.objectContaining(help))
    await typed('record paint')
    expect(bench.said().at(-1)).toBe('There is no command record paint.')
    expect(buttons()).toEqual(['Show what record has'])
    await typed('dns remove shop www')
    expect(bench.said().at(-1)).toMatch(
      /^CDN Ops can only add DNS records; the panel \(https:.*\/dns-zone\/301\) can do the rest\.$/,
    )
    // Slack makes a link of a name that looks like an address.
    await bench.store.zones.add(
      { kind: 'dns', name: 'shop.example', zoneId: '302', addedBy: 'UADA', addedAt: bench.clock.now() },
      {
        at: bench.clock.now(),
        actor: 'UADA',
        team: 'T1',
        operation: 'zones add',
        event: 'zone_added',
        summary: 'Named',
      },
    )
    await typed('dns remove <http://shop.example|shop.example> www')
    expect(bench.said().at(-1)).toContain('/dns-zone/302)')
    expect(methods()).not.toContain('views.open')
  })

  it('that has a slip is not shown, nor kept for a button, where something of it is secret', async () => {
    const kept = vi.spyOn(bench.store.answers, 'put')
    await typed('record ad shop 192.0.2.10 --variables TOKEN=hush')
    const rest = { operation: 'record add', values: { zone: 'shop', value: '192.0.2.10' } }
    expect(kept).toHaveBeenCalledWith(expect.objectContaining(rest))
    expect(bench.said()).toEqual(['Did you mean /cdn record add …?'])
    expect(JSON.stringify(bench.calls)).not.toContain('hush')
  })

  it('that cannot be read says what is wrong with it', async () => {
    expect(await typed('"open')).toEqual([
      'The quote " at character 1 is never closed, so nothing from there on was read. Close it, or put a backslash before it. Nothing was done. See /cdn help.',
    ])
  })

  it('with all values opens its review; with too few its form, filled in with what was typed', async () => {
    await typed('record add shop 192.0.2.10')
    expect(bench.shown('views.open')).toContain('Add 192.0.2.10 to zone 301')
    await typed('record add shop')
    expect(bench.shown('views.open')).toContain('Step 1 of 2')
    expect(bench.shown('views.open')).toContain('shop (301)')
    expect(bench.said()).toEqual([])
  })

  it.each(['name add --knd dns', 'name add hush'])(
    'that begins like a write to the bot and is none is answered once, though it is delivered twice: %s',
    async (text) => {
      const payload = { ...TYPED_READ, text, user_id: 'UOLGA', trigger_id: newTrigger() }
      const options = { ...bench.slack, holdsSecret: (each: string) => each.includes('hush') }
      for (const _ of [1, 2]) await deliver(options, 'command', payload)
      expect(bench.said()).toHaveLength(1)
    },
  )

  it('with mistakes where there is no form says six of them', async () => {
    const [no, more] = [
      ' It takes no options at all.',
      'Nothing more was expected at: 1. Text with spaces goes in quotes, options begin with --.',
    ]
    expect(await typed('keys list --a 1 --b 1 --c 1 --d 1')).toEqual([
      `${['a', 'b', 'c'].map((name) => `keys list takes no --${name}.${no} ${more} `).join('')}Nothing was done. See /cdn help keys list.`,
    ])
    expect(buttons()).toEqual(['Show its help'])
  })
})

describe('a command of the worst text there is', () => {
  /** What may be taken beside what a short command takes, in counts to half a million, in the best of so many runs. */
  const MOST = { acknowledged: 1, refused: 3 }
  const RUNS = 40
  const COUNT = 500_000

  /** The CPU of a command of somebody without a role, until it is acknowledged and until it is refused. */
  async function refused(text: string): Promise<{ readonly acknowledged: number; readonly refused: number }> {
    const before = process.cpuUsage()
    let acknowledged = Number.POSITIVE_INFINITY
    await typed(text, 'UNOBODY', async () => {
      acknowledged = cpuSince(before)
    })
    return { acknowledged, refused: cpuSince(before) }
  }

  /** What a machine of this speed, as busy as it is, takes to count so far. */
  function count(): number {
    const before = process.cpuUsage()
    let sum = 0
    for (let number = 0; number < COUNT; number += 1) sum = (sum + number) % 7
    return sum < 0 ? 0 : cpuSince(before)
  }

  it.each(["'a'a ", 'eyJ-', 'a.a.', '--a ', '<@U12> ', '“a '])(
    'by somebody without a role is acknowledged before it is read, and refused for as little as a short one: %s',
    async (piece) => {
      for (const length of [3_900, 11_900]) {
        const long = `record add ${piece.repeat(length / piece.length)}`
        const more = { acknowledged: Number.POSITIVE_INFINITY, refused: Number.POSITIVE_INFINITY }
        const isTooMuch = (): boolean => more.acknowledged > MOST.acknowledged || more.refused > MOST.refused
        for (let run = 0; run < RUNS && isTooMuch(); run += 1) {
          const [short, took, unit] = [await refused('record add'), await refused(long), count()]
          more.acknowledged = Math.min(more.acknowledged, (took.acknowledged - short.acknowledged) / unit)
          more.refused = Math.min(more.refused, (took.refused - short.refused) / unit)
        }
        expect([more, isTooMuch()]).toEqual([more, false])
      }
      expect(bench.said()).toContainEqual(expect.stringMatching(/Only operators and admins can use/))
    },
  )

  it.each(['record add', 'name add', 'whatever'])(
    'that begins with %s is read up to 4,000 characters, and says so',
    async (verb) => {
      const said = await typed(`${verb} ${'a '.repeat(2_000)}`)
      expect(said).toEqual([expect.stringMatching(/has 40\d\d characters; at most 4000 are read.* Nothing was done/)])
    },
  )
})

describe('opening a view', () => {
  /** A form takes as long to be begun as `slow`. */
  function slowBegin() {
    const [slow, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const begin = bench.changes.begin.bind(bench.changes)
    bench.changes.begin = async (...given) => {
      begun.resolve()
      await slow.promise
      return begin(...given)
    }
    return { slow, begun }
  }

  it('is preceded by a view that says to wait when it takes long, and replaced by the form', async () => {
    const { slow, begun } = slowBegin()
    const done = typed('record add shop')
    await begun.promise
    bench.clock.turn(1_199)
    expect(methods()).toEqual([])
    bench.clock.turn(1)
    await expect.poll(() => bench.shown('views.open') ?? '').toContain('One moment: this is being prepared.')
    // Nothing is posted instead of a form.
    expect(bench.shown('views.open')).not.toContain('You may close this')
    slow.resolve()
    await done
    expect(methods()).toEqual(['views.open', 'views.update'])
    expect(bench.shown('views.update')).toContain('Step 1 of 2')
  })

  it('says behind the waiting view what went wrong', async () => {
    const { slow: failing, begun } = slowBegin()
    const done = typed('record add shop')
    await begun.promise
    bench.clock.turn(1_200)
    await expect.poll(methods).toEqual(['views.open'])
    failing.reject(new TypeError('hush'))
    await done
    expect(bench.shown('views.update')).toContain('Something went wrong inside CDN Ops')
  })

  it('says nothing more to whoever has closed the waiting view', async () => {
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError(method, 'not_found')
    }
    const { slow, begun } = slowBegin()
    const done = typed('record add shop')
    await begun.promise
    bench.clock.turn(1_200)
    await expect.poll(methods).toEqual(['views.open'])
    slow.resolve()
    await done
    expect(bench.said()).toEqual([])
  })

  it('does not wait any more once the trigger has aged while Slack was asked who it is', async () => {
    bench.script.before = ({ method }) => {
      if (method === 'users.info') bench.clock.turn(1_300)
    }
    const { slow, begun } = slowBegin()
    const done = typed('record add shop')
    await begun.promise
    bench.clock.turn(0)
    await expect.poll(methods).toEqual(['views.open'])
    slow.reject(new TypeError('the rest does not matter'))
    await done
  })

  const TOKEN = 'Slack refuses the token of CDN Ops (token_expired), so nothing was done.'
  it.each<readonly [string, string]>([
    ['expired_trigger_id', `Slack may not have shown the form (expired_trigger_id). Nothing was done. ${OR_WAITS}`],
    ['token_expired', `${TOKEN} Tell whoever runs CDN Ops to look at SLACK_BOT_TOKEN.`],
  ])('that Slack refuses with %s is told, and is no bug', async (code, told) => {
    bench.script.before = ({ method }) => {
      if (method === 'views.open') throw new SlackError('views.open', code)
    }
    expect(await typed('record add shop')).toEqual([told])
    expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('that stays behind the view that says to wait is told with what to do', async () => {
    const { slow, begun } = slowBegin()
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError('views.update', 'invalid_arguments')
    }
    const done = typed('record add shop')
    await begun.promise
    bench.clock.turn(1_200)
    await expect.poll(methods).toEqual(['views.open'])
    slow.resolve()
    expect(await done).toEqual([`Slack may not have shown the form (invalid_arguments). Nothing was done. ${OR_WAITS}`])
  })
})

describe('whatever fails', () => {
  it('ends as a message when Slack does not say who it is', async () => {
    bench.script.before = ({ method }) => {
      if (method === 'users.info') throw new SlackError('users.info', 'no_answer')
    }
    expect(await typed('lines list')).toEqual([
      'Slack could not tell who you are, so nothing was done. Ask again in a moment.',
    ])
  })

  it('ends as a message when the store fails', async () => {
    await bench.store.close()
    expect(await typed('record add shop x')).toEqual([expect.stringMatching(/CDN Ops does not act without it/)])
  })
})

describe('a typed read of a zone that there is not, with the operations there are', () => {
  const real = useSlackBench({ operations: () => OPERATIONS })

  it('offers those that are near', async () => {
    for (const [name, zoneId] of [
      ['shop', '301'],
      ['media', '302'],
      ['shops', '303'],
      ['images', '304'],
    ] as const) {
      const at = real.clock.now()
      const entry = { at, actor: 'UADA', team: 'T1', operation: 'zones add', summary: 'Named' }
      await real.store.zones.add(
        { kind: 'pull', name, zoneId, addedBy: 'UADA', addedAt: at },
        { ...entry, event: 'zone_added' },
      )
    }
    const offered = async (text: string) => {
      await deliver(real.slack, 'command', { ...TYPED_READ, text, trigger_id: newTrigger() })
      return [...JSON.stringify(real.calls.at(-1)?.args['blocks']).matchAll(/"type":"button".*?"text":"([^"]*)"/g)].map(
        ([, label]) => label,
      )
    }
    expect(await offered('status shap')).toEqual(['shop', 'shops', 'images'])
  })
})
