import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate of a server's own making, with its key, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface CertificateWishes {
  /** Whom it is for: the only name in it. */
  readonly host: string
  readonly from: Date
  readonly until: Date
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OID = 0x06
const UTF8 = 0x0c
const TIME = 0x18
const BOOLEAN = 0x01
const context = (number: number): number => 0xa0 + number
const NAME_IN_SAN = 0x82
const IP_IN_SAN = 0x87

/** Object identifiers, encoded: ecdsa-with-SHA256, commonName, subjectAltName, basicConstraints. */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')
const ALT_NAME = Buffer.from('551d11', 'hex')
const CONSTRAINTS = Buffer.from('551d13', 'hex')

/** Makes a certificate that its own key signs: nobody vouches for it but whoever is told to trust it. */
export function selfSigned({ host, from, until }: CertificateWishes): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, der(OID, ECDSA_SHA256))
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8, Buffer.from(host)))))
  const body = der(
    SEQUENCE,
    der(context(0), der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, der(TIME, time(from)), der(TIME, time(until))),
    name,
    spki(publicKey),
    der(context(3), der(SEQUENCE, extension(ALT_NAME, altName(host)), extension(CONSTRAINTS, authority()))),
  )
  const signature = sign('sha256', body, privateKey)
  const cert = der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function extension(id: Buffer, value: Buffer): Buffer {
  return der(SEQUENCE, der(OID, id), der(OCTET_STRING, value))
}

function altName(host: string): Buffer {
  const parts = host.split('.').map(Number)
  const isAddress = parts.length === 4 && parts.every(Number.isInteger)
  return der(SEQUENCE, isAddress ? der(IP_IN_SAN, Buffer.from(parts)) : der(NAME_IN_SAN, Buffer.from(host)))
}

function authority(): Buffer {
  return der(SEQUENCE, der(BOOLEAN, Buffer.from([0xff])))
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function time(at: Date): Buffer {
  return Buffer.from(`${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`)
}

/** One value of ASN.1 in its distinguished encoding: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
