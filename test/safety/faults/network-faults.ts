import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { closedPort } from '../../support/bot.ts'
import type { Stage } from './fault-proxy.ts'
import { type Expected, type Fault, good, nowhere, type Place, place, type Rows } from './fault.ts'
import type { FaultedOperation } from './operations.ts'

const DRIP_MS = 40
const STAGES: readonly Stage[] = ['accepted', 'asked', 'status line', 'headers', 'body']
const LATE = /did not answer in time/
const BROKEN = /connection to the CDN broke/

const sound: Expected = { ends: 'answer', sends: 1, tries: 1 }
const answered: Rows = { read: sound, write: sound, 'day file': sound }

/** What never left: a read is tried again, a write is certain. */
function notSent(reason: string, says: RegExp, tries = 3): Rows {
  const ends = { kind: 'unreachable', reason, sent: 'no' } as const
  const read: Expected = { ends: { kind: 'unreachable', reason }, sends: 0, tries, says }
  return { read, 'day file': read, write: { ends, sends: 0, tries: 1, outcome: 'not_sent', says } }
}

/** Silence or an end at a stage. Once the headers of a write's answer are there it is done, whatever became of the rest. */
function broken(stage: Stage, reason: 'timeout' | 'reset' | 'network'): Rows {
  const asked = stage === 'accepted' ? 0 : 1
  const says = reason === 'timeout' ? LATE : BROKEN
  const ends = { kind: 'unreachable', reason, sent: 'maybe' } as const
  const tries = reason === 'timeout' ? 1 : 3
  const read: Expected = { ends, sends: asked * tries, tries, says }
  const begun = stage === 'body' ? 1 : tries
  const done = stage === 'headers' || stage === 'body'
  return {
    read,
    // Part of a day file was handed on, so it cannot be asked for again.
    'day file': { ...read, sends: asked * begun, tries: begun },
    write: done
      ? {
          ends: { kind: 'malformed', status: 200 },
          sends: 1,
          tries: 1,
          outcome: 'done',
          says: /the answer was cut off/,
        }
      : { ends, sends: asked, tries: 1, outcome: 'unknown', says },
  }
}

function cut(at: Stage, how: 'hang' | 'reset' | 'end'): Fault {
  const name = how === 'hang' ? 'silence' : how
  return {
    name: `${name} at: ${at}`,
    place: async (operation) => place([good(operation)], { cut: { at, how } }),
    expected: broken(at, how === 'hang' ? 'timeout' : 'reset'),
  }
}

/** Lets a byte come between one look at the clock and the next. */
async function drip(operation: FaultedOperation, bodyOnly: boolean): Promise<Place> {
  const dripping = await place([good(operation)], { drip: { bytes: 1, everyMs: DRIP_MS, bodyOnly } })
  const turnMs = { read: 4_000, write: 10_000, 'write without an answer': 10_000, 'day file': 25_000 }[operation.kind]
  return { ...dripping, pace: { turnMs, realMs: 2 * DRIP_MS } }
}

/** Whatever can happen to a connection before, while and after a request goes over it. */
export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: 'refused',
    place: async () => nowhere(`http://127.0.0.1:${await closedPort()}`),
    expected: notSent('refused', /Nothing listens/),
  },
  {
    name: 'no such host',
    place: async () => nowhere('http://no-such-host.invalid'),
    expected: notSent('dns', /could not be looked up/),
  },
  { name: 'silence before: accepted', place: fullBacklog, expected: notSent('timeout', LATE, 1) },
  {
    name: 'silence in the TLS handshake',
    place: async (operation) => place([good(operation)], { cut: { at: 'accepted', how: 'hang' } }, 'https'),
    expected: notSent('timeout', LATE, 1),
  },
  ...STAGES.flatMap((stage) => [cut(stage, 'hang'), cut(stage, 'reset'), cut(stage, 'end')]),
  {
    name: 'drip from the first byte',
    place: async (operation) => drip(operation, false),
    expected: broken('asked', 'timeout'),
  },
  {
    name: 'drip of the body',
    place: async (operation) => drip(operation, true),
    expected: {
      ...broken('headers', 'timeout'),
      // Each byte is a sign of life, and all the same ten minutes are the end.
      'day file': { ...broken('body', 'timeout')['day file'], lastsMs: 600_000 },
    },
  },
  {
    name: 'in slices of a few bytes',
    place: async (operation) => {
      const { silent: _, ...slices } = await place([good(operation)], { drip: { bytes: 7, everyMs: 0 } })
      return slices
    },
    expected: answered,
  },
  {
    name: 'no HTTP',
    place: async () => place([(_, request) => void request.socket.end('SSH-2.0-OpenSSH_9.2\r\n')]),
    expected: broken('status line', 'network'),
  },
]

/** A listener that takes no connection: its process is stopped and its queue is full, so that connecting never ends. */
async function fullBacklog(): Promise<Place> {
  const code = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    console.log(this.address().port)
  })`
  const listener = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => listener.stdout.once('data', (line) => resolve(Number(line))))
  listener.kill('SIGSTOP')
  const fillers = [0, 1].map(() => connect(port, '127.0.0.1').on('error', () => undefined))
  await Promise.all(fillers.map(async (filler) => new Promise((resolve) => filler.once('connect', resolve))))
  return nowhere(`http://127.0.0.1:${port}`, {
    silent: async () => undefined,
    async [Symbol.asyncDispose]() {
      for (const filler of fillers) filler.destroy()
      listener.kill('SIGKILL')
    },
  })
}
