import { expect, test } from 'vitest'
import { normaliseHost, normaliseRecordName, normaliseValue } from '../../../src/operations/dns/record-value.ts'
import { draftRecord, lookAlikeWarnings } from '../../../src/operations/dns/record-checks.ts'

const sentAs = (typed: string): string => {
  const normalised = normaliseRecordName(typed)
  if (!normalised.ok) throw new Error(normalised.problem)
  return normalised.sent
}

const ALIKE = '. Check each letter: some Cyrillic ones look like Latin ones.'

test.each([
  ['\u0430pple', ', which mixes Latin and Cyrillic letters: it can be taken for another name.'],
  ['p\u0430yp\u0430l', ', which mixes Latin and Cyrillic letters: it can be taken for another name.'],
  ['g\u03bf\u03bfgle', ', which mixes Latin and Greek letters: it can be taken for another name.'],
  ['\u0430\u0440\u0440\u04cf\u0435', ALIKE],
  ['\u043f\u0440\u0438\u043c\u0435\u0440', ALIKE],
  ['\u05d0\u05d1\u05d2', '.'],
  ['\u0645\u062b\u0627\u0644', '.'],
  ['b\u00fccher', '.'],
  ['\u65e5\u672c\u8a9e\u306e\u30c9\u30e1\u30a4\u30f3', '.'],
])('the name %s is shown beside its ASCII form, and warned of where it can be mistaken', (typed, warned) => {
  const name = sentAs(typed)
  const says = `${name} stands for ${typed}${warned}`
  expect(name).toMatch(/^xn--/)
  expect(lookAlikeWarnings('A', { name })).toEqual([says])
  for (const type of ['CNAME', 'Flatten', 'PTR', 'NS', 'MX', 'SRV', 'SVCB', 'HTTPS'] as const)
    expect(lookAlikeWarnings(type, { value: `${name}.example a=${name}` })).toEqual([says])
  expect(lookAlikeWarnings('TXT', { value: name })).toEqual([])
  expect(lookAlikeWarnings('Redirect', { value: `https://${typed}:8080/x` })).toEqual([says])
})

test('a plain name needs no words, and an ASCII form of nothing is said to be none', () => {
  expect(lookAlikeWarnings('CNAME', { name: 'www', value: 'a.example' })).toEqual([])
  for (const name of ['xn--a', 'XN--a'])
    expect(lookAlikeWarnings('A', { name })).toEqual([
      `${name} looks like the ASCII form of other letters, and is none.`,
    ])
  expect(lookAlikeWarnings('Redirect', { value: 'xn--a' })).toEqual([])
})

test.each(['a\u202eb', 'a\u200bb', 'a\u00adb', 'a\u2066b', 'a\ufeffb', 'a\u0000b', 'a\u{e0041}b'])(
  'a name with %j in it is refused, for nobody sees it',
  (typed) => {
    expect(normaliseRecordName(typed)).toEqual({ ok: false, problem: 'The name holds characters that cannot be seen.' })
    const problem = 'The host holds characters that cannot be seen.'
    expect(normaliseHost(`${typed}.example`, 'The host')).toEqual({ ok: false, problem })
    expect(normaliseValue('SVCB', `${typed}.example alpn=h2`, undefined)).toMatchObject({ ok: false })
  },
)

test.each(['\uff11.\uff12.\uff13.\uff14', '192.0.2.1', '\u2460.2.3.4'])('%s is no host name', (typed) => {
  expect(normaliseHost(typed, 'The host')).toMatchObject({ ok: false })
})

const NO_NAMES =
  '\u00fc..b b\u00fccher/.. b\u00fccher?x b\u00fccher:80 x@b\u00fccher b\u00fccher\uff0fx b\u00fccher\uff1f b\u00fccher%2e'

test.each(['a.\r\nb', ...NO_NAMES.split(' ')])('the name %j is refused', (typed) => {
  expect(normaliseRecordName(typed).ok).toBe(false)
})

test('what cannot be seen in a text or comment is warned of, not changed', () => {
  const value = 'v=spf1 \u202e-all'
  expect(normaliseValue('TXT', value, undefined)).toMatchObject({ ok: true, sent: value })
  expect(lookAlikeWarnings('TXT', { value, comment: 'a\u200bb' })).toEqual([
    'The value holds characters that cannot be seen or that reorder text; they are shown as \\u{…}.',
    'The comment holds characters that cannot be seen or that reorder text.',
  ])
  for (const end of ['\n', '\t', '\r\n'])
    expect(lookAlikeWarnings('TXT', { value: `a${end}b` })).toContain(
      'The value holds line ends or tabs, which are sent with it.',
    )
})

test.each(['\u00a0', '\u2009', '\u3000'])('the space %j in a value looks like another, so it is said', (space) => {
  const warning = 'The value holds spaces of another kind, as web pages have them, which are sent as they are.'
  expect(lookAlikeWarnings('TXT', { value: `v=spf1${space}-all` })).toEqual([warning])
  expect(lookAlikeWarnings('TXT', { value: 'v=spf1 -all' })).toEqual([])
})

test('the review of a record says so', () => {
  const { warnings } = draftRecord({ type: 'A', name: 'p\u0430yp\u0430l', value: '192.0.2.1' })
  expect(warnings).toEqual([expect.stringMatching(/mixes Latin and Cyrillic/)])
})
