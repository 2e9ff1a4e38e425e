import { describe, expect, it } from 'vitest'
import { CHANNELS, MEMBERS, USER_GROUPS } from '../../../src/playground/slack/state/seed.ts'
import { escapedText } from '../../../src/playground/slack/interactions.ts'

const escaped = (typed: string) => escapedText(typed, { members: MEMBERS, channels: CHANNELS, groups: USER_GROUPS })

describe('Typed text', () => {
  it.each([
    ['plain words stay', 'plain words stay'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['@vera and @nobody', '<@U0VERA0001> and @nobody'],
    ['whoami @cdn-admins', 'whoami <!subteam^S0ADMINS01|@cdn-admins>'],
    ['#ops #cdn-private #nowhere', '<#C0OPS00001|ops> <#C0PRIVATE1|> #nowhere'],
    ['see https://shop.example.com/a?b=1&c=2 now', 'see <https://shop.example.com/a?b=1&amp;c=2> now'],
    ['dns add shop MX @ 10 mail.example.net', 'dns add shop MX @ 10 <http://mail.example.net|mail.example.net>'],
    ['--url example.com/img/*.png', '--url <http://example.com/img/*.png|example.com/img/*.png>'],
    ['me@example.org', '<mailto:me@example.org|me@example.org>'],
    ['index.html v1.2 10.0.0.1 2026-11-20', 'index.html v1.2 10.0.0.1 2026-11-20'],
  ])('reads %s as %s', (typed, sent) => {
    expect(escaped(typed)).toBe(sent)
  })
})
