import { describe, expect, it } from 'vitest'
import { messageProblems } from '../support/slack-rules.ts'
import { CdnClient } from '../../src/cdn/client.ts'
import type { Cdn } from '../../src/cdn/cdn.ts'
import { LogLimit } from '../../src/cdn/log-limit.ts'
import type { Answer } from '../../src/operations/answer.ts'
import type { NamedZone } from '../../src/operations/field.ts'
import type { RawValue } from '../../src/shared/raw-values.ts'
import { flagName } from '../../src/operations/usage.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { Secret } from '../../src/shared/secret.ts'
import { parseCommand } from '../../src/slack/command-text/parse-command.ts'
import { RunningEmulator } from '../playground/cdn/running-emulator.ts'
import { RECORD_CASES } from '../support/dns-record-cases.ts'
import { checkContext, invocationOf, operationContext } from '../support/operation-context.ts'
import { LIBRARY_CASES } from '../support/video-library-cases.ts'

/** The writes as they are typed, through the client and its sockets, against the emulated platform. */

const KEYS = ['canary-a-0123456789abcdef', 'canary-b-0123456789abcdef', 'canary-c-0123456789abcdef'] as const
const platform = new RunningEmulator({ canaries: { libraryKeys: KEYS } })

async function type(line: string): Promise<{ answer: Answer; body: unknown }> {
  const parsed = parseCommand(line, OPERATIONS)
  if (parsed.kind !== 'operation') throw new Error(`${line} is ${parsed.kind}`)
  expect(parsed.problems).toEqual([])
  const now = platform.clock.now()
  const before = platform.it.requests.length
  const invocation = invocationOf(parsed.operation, parsed.values, checkContext({ now, zones: zones() }))
  const answer = await invocation.run(operationContext(client(), { now }))
  expect(messageProblems(answer.message)).toEqual([])
  const arrived = platform.it.requests.slice(before)
  expect(arrived).toHaveLength(1)
  expect(arrived[0]?.carriedOut).toBe(true)
  return { answer, body: arrived[0]?.body }
}

/** Names for the first zones of the emulated world. */
function zones(): readonly NamedZone[] {
  const { dnsZones, pullZones } = platform.it.world
  return [
    { kind: 'dns', name: 'shop', zoneId: String(dnsZones[0]?.id) },
    { kind: 'pull', name: 'shop', zoneId: String(pullZones[0]?.id) },
  ]
}

function client(): Cdn {
  const { clock, it: emulator } = platform
  return new CdnClient({
    managementUrl: emulator.managementUrl,
    loggingUrl: emulator.loggingUrl,
    credential: { scheme: 'accessKey', secret: new Secret(emulator.accessKey) },
    clock,
    limiter: new LogLimit({ clock, warm: true }),
  })
}

function typedFlags(values: Readonly<Record<string, RawValue>>): string {
  return Object.entries(values)
    .map(([name, value]) => [flagName(name), typeof value === 'string' ? value : value.join(',')] as const)
    .filter(([, value]) => value !== '')
    .map(([flag, value]) => `${flag} ${/\s/.test(value) ? `"${value}"` : value}`)
    .join(' ')
}

/** The ledger holds small ids as numbers and the table as bigint; none here is too large for a number. */
function digits(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))
}

describe('writes over the wire', () => {
  it.each(RECORD_CASES.filter(({ type: kind }) => kind !== 'PullZone'))(
    '$type arrives as the table says and comes back as stored',
    async (each) => {
      const { answer, body } = await type(
        `dns add shop ${each.type} ${typedFlags(each.further)} ${each.typed.join(' ')}`,
      )
      expect(digits(body)).toEqual(digits(each.body))
      expect(answer.message.text).toContain(`The ${each.type} record`)
      expect(answer.message.text).toContain('was added to DNS zone shop (')
      expect(JSON.stringify(answer)).not.toContain('a=b')
    },
  )

  it('links a pull zone by its name, and the platform gives its id back', async () => {
    const { answer, body } = await type('dns add shop PullZone cdn shop')
    expect(digits(body)).toEqual({ Type: 7, Name: 'cdn', PullZoneId: Number(platform.it.world.pullZones[0]?.id) })
    expect(answer.message.text).not.toContain('differently')
  })

  it('shows what the platform stored otherwise than it was asked', async () => {
    const { answer } = await type('dns add shop A heavy 192.0.2.10 --weight 0')
    expect(answer.message.text).toContain('- Weight: asked 0, stored 100')
    expect(answer.message.text).toContain('Filled in by the platform:\n- Ttl: 300 seconds (5m)\n- AutoSslIssuance: on')
  })

  it.each(LIBRARY_CASES.filter(({ title }) => !title.startsWith('codes')))(
    'a library of $title arrives as the table says',
    async ({ values, body: expected }) => {
      const { name, ...rest } = values
      const { answer, body } = await type(`library create ${String(name).trim()} ${typedFlags(rest)}`)
      expect(body).toEqual(expected)
      expect(answer.message.text).toContain('The video library Trailers was created.')
      expect(JSON.stringify(answer)).not.toContain('canary')
    },
  )

  it('says that early play stayed off beside JIT encoding', async () => {
    const { answer } = await type('library create Trailers --encoding-tier premium --jit-encoding --allow-early-play')
    expect(answer.message.text).toContain('- AllowEarlyPlay: asked on, stored off')
  })
})
