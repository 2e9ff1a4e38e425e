import type { RawValues } from '../../src/shared/raw-values.ts'

/** Values of one field: each that is refused, and each that is taken where all else is as it was. */
export interface Neighbours {
  readonly field: string
  readonly refused: readonly (string | undefined)[]
  readonly taken?: readonly string[]
  /** What else is given. */
  readonly beside?: RawValues
}

/** Values with two spaces between. */
export function values(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('  '))
}

const LABEL = 'a'.repeat(63)
/** The longest name there is. */
export const LONGEST_NAME = [LABEL, LABEL, LABEL, 'a'.repeat(61)].join('.')
/** What goes with one half of a place. */
export const ROUTED = { smartRouting: 'geolocation', latitude: '1', longitude: '1' }

/** What no record of any type may have, and beside it what each may have. */
export const ANY: readonly Neighbours[] = [
  {
    field: 'name',
    refused: [
      ...values('a..b  -a  a-  a b  a/b  a.*  *a  **  .  １９２.0.2.1'),
      '',
      'a\u200Bb',
      `${LABEL}a`,
      `${LONGEST_NAME}a`,
    ],
  },
  { field: 'comment', refused: ['c'.repeat(501)], taken: ['c', 'c'.repeat(500), 'Zähler & <b> "x"'] },
  { field: 'disabled', refused: ['maybe'], taken: ['on', 'off', 'default', 'yes', 'No', 'TRUE', '0'] },
]
/** Names that a record of nearly any type may have. */
export const NAMES = [
  ...values('@  *  *.a  a  A-1  _dmarc  a_b  7  4.3.2.1  a.  a--b  münchen'),
  LABEL,
  LONGEST_NAME,
  `${LONGEST_NAME}.`,
]

/** How long answers may be kept. */
export const TTL: Neighbours = {
  field: 'ttl',
  refused: ['-1', '5x', '1.5h', '2147483648', '4w2d', 'm', '3551w'],
  taken: ['0', '1', '5m', '1H', '24 h', '1d', '1w', '60s', '2147483647', '3550w'],
}
/** The name of a host. */
export const HOST: Neighbours = {
  field: 'value',
  refused: [
    ...values(
      'a b  a..b  -a.example  a-.example  https://a.example  a.example:80  192.0.2.1  *.example  a@b',
      '１９２.0.2.1',
    ),
    '',
    'a\u202Eb',
    `${LABEL}a.example`,
    `${LONGEST_NAME}a`,
  ],
  taken: [
    ...values(
      'a  a.example  A.Example  a.example.  _a.b_c.example  1.2.3  192.0.2.1.example  1.2.3.4.5',
      'a--b.example  münchen.example  例え.example',
    ),
    `${LABEL}.example`,
    LONGEST_NAME,
    `${LONGEST_NAME}.`,
  ],
}
/** The same where a dot alone says that there is none. */
export const HOST_OR_DOT: Neighbours = {
  ...HOST,
  refused: [...HOST.refused, '..'],
  taken: [...(HOST.taken ?? []), '.'],
}
/** A whole number from 0 on. */
export const whole = (field: string, most: number): Neighbours => ({
  field,
  refused: ['-1', String(most + 1), '1.5', 'x', '1e3', '99999999999999999999'],
  taken: ['0', '1', String(most), '+1', ' 7 ', '007'],
})
/** A target with its parameters. */
export const SERVICE: Neighbours = {
  field: 'value',
  refused: [
    ...values('"  . alpn="h2  . =h2  . ALPN=h2  . a_b  a..b alpn=h2  . "alpn=h2"'),
    '',
    String.raw`. a="\"`,
    String.raw`. a=\"b\"`,
    `. ${'k'.repeat(64)}=1`,
  ],
  taken: [
    ...values(
      '.  a.example  a.example. alpn=h2  . alpn=h2,h3 port=443  . no-default-alpn  . key65535 k9=1',
      '. a=  . a==  . a="b c"  . a=""',
    ),
    String.raw`. a="\"" b=1`,
    String.raw`. a="b\\" c=1`,
    `. ${'k'.repeat(63)}=1`,
  ],
}
/** What is on, off, or left to the platform. */
export const switches = ['accelerated', 'autoSsl'].map((field): Neighbours => ({
  field,
  refused: ['maybe'],
  taken: ['on', 'off', 'default'],
}))
/** Routing by latency. */
export const LATENCY: readonly Neighbours[] = [
  {
    field: 'latencyZone',
    refused: ['D E', 'D.E', 'D_E', 'ABCDEFGHIJK'],
    taken: ['D', 'de', 'NY-1', '7', 'ABCDEFGHIJ'],
  },
  {
    field: 'smartRouting',
    refused: ['fast'],
    taken: ['none', 'NONE', 'latency', 'Latency'],
    beside: { latencyZone: 'DE' },
  },
  { field: 'latencyZone', refused: [undefined], taken: ['DE'], beside: { smartRouting: 'latency' } },
]
/** Routing by latency or by place. */
export const PLACED: readonly Neighbours[] = [
  ...LATENCY,
  { field: 'smartRouting', refused: ['fast'], taken: ['geolocation'], beside: { latitude: '0', longitude: '0' } },
  {
    field: 'latitude',
    refused: ['-90.1', '90.1', '91', 'x', '1,5', undefined],
    taken: ['-90', '90', '0', '-0.5', '52.520008'],
    beside: ROUTED,
  },
  {
    field: 'longitude',
    refused: ['-180.1', '180.1', '181', 'x', undefined],
    taken: ['-180', '180', '0', '-13.4'],
    beside: ROUTED,
  },
]
