import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Certificate, selfSigned } from './certificate.ts'
import { type Expected, type Fault, good, type Place, place } from './fault.ts'
import type { FaultedOperation } from './operations.ts'

const HOST = '127.0.0.1'
const PAST = new Date('2020-01-01T00:00:00Z')
const PAST_END = new Date('2020-02-01T00:00:00Z')
const FAR = new Date('2099-01-01T00:00:00Z')

const trusted = {
  sound: selfSigned({ host: HOST, from: PAST, until: FAR }),
  expired: selfSigned({ host: HOST, from: PAST, until: PAST_END }),
  early: selfSigned({ host: HOST, from: FAR, until: new Date('2099-02-01T00:00:00Z') }),
  another: selfSigned({ host: 'other.example', from: PAST, until: FAR }),
}
const stranger = selfSigned({ host: HOST, from: PAST, until: FAR })

/** Trusts the certificates of this table but one, as a system trusts those that authorities have signed. */
export function trustTable(): void {
  setDefaultCACertificates([...getCACertificates(), ...Object.values(trusted).map(({ cert }) => cert)])
}

const refused: Expected = {
  ends: { kind: 'unreachable', reason: 'tls' },
  sends: 0,
  tries: 3,
  says: /No secure connection to the CDN could be made/,
}
const notSent: Expected = {
  ...refused,
  ends: { kind: 'unreachable', reason: 'tls', sent: 'no' },
  tries: 1,
  outcome: 'not_sent',
}
const sound: Expected = { ends: 'answer', sends: 1, tries: 1 }

function bad(name: string, certificate: Certificate): Fault {
  return {
    name: `certificate ${name}`,
    place: async (operation) => secure(certificate, operation),
    expected: { read: refused, 'day file': refused, write: notSent },
  }
}

/** Nothing is sent, the key least of all, to whoever cannot show that they are the platform. */
export const CERTIFICATE_FAULTS: readonly Fault[] = [
  bad('that nobody vouches for', stranger),
  bad('that has expired', trusted.expired),
  bad('that is not valid yet', trusted.early),
  bad('of somebody else', trusted.another),
  {
    name: 'certificate without a fault',
    place: async (operation) => secure(trusted.sound, operation),
    expected: { read: sound, 'day file': sound, write: sound },
  },
  {
    name: 'no TLS where it has to be',
    place: async (operation) => place([good(operation)], {}, 'https'),
    expected: { read: refused, 'day file': refused, write: notSent },
  },
]

async function secure({ cert, key }: Certificate, operation: FaultedOperation): Promise<Place> {
  let requests = 0
  const server: Server = createServer({ cert, key }, (request, response) => {
    requests += 1
    request.resume().on('end', () => good(operation)(response, request))
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const { port } = server.address() as AddressInfo // a TCP server has this form of address
  return {
    url: `https://${HOST}:${port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
