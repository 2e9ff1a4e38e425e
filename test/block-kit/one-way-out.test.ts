import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles } from '../support/source-imports.ts'

const files = sourceFiles('src').filter(({ path }) => !path.startsWith('playground/'))
/** Where text is made into what Slack shows. */
const SHOWING = /^(alerts|block-kit|execution|operations|slack)\//
const pathsWith = (pattern: RegExp): readonly string[] =>
  files.filter(({ code }: SourceFile) => pattern.test(code)).map(({ path }) => path)

describe('text from outside', () => {
  it('is plain text, or a foreign part of markup: nothing else makes either', () => {
    expect(pathsWith(/type: 'plain_text'[^_]/)).toEqual(['block-kit/plain-text.ts'])
    expect(pathsWith(/type: 'mrkdwn'/)).toEqual(['block-kit/sections.ts'])
    expect(pathsWith(/type: 'rich_text/)).toEqual(['block-kit/sections.ts'])
    expect(pathsWith(/type: 'raw_text'/)).toEqual(['block-kit/table.ts'])
    expect(pathsWith(/\bPIECES\b|kind: 'control'/)).toEqual(['block-kit/mrkdwn-pieces.ts', 'block-kit/mrkdwn.ts'])
  })

  it('never becomes a link: those lead to addresses that the settings name, and to runbooks', () => {
    // Whoever draws a link has an address that was made elsewhere, of settings and numbers.
    const making = pathsWith(/\bnew URL\(|\bURL\.(parse|canParse)\(/).filter((path) => SHOWING.test(path))
    // In those of DNS it is only asked whether a value is an address at all, and of which host. A runbook is the one address
    // that people with a role give, and is held to be https, ASCII and without a password before it is linked. Home and
    // history link messages of the bot's own, by the ids under which Slack took them; an answer links the file whose address Slack gave.
    expect(making).toEqual([
      'alerts/state/incident.ts',
      'block-kit/mrkdwn.ts',
      'operations/dns/record-checks.ts',
      'operations/dns/record-value.ts',
      'slack/out/message-sender.ts',
    ])
  })

  it('never names somebody: people are shown by their ids', () => {
    // There they are compared with what somebody typed.
    const names = /\b(real_name|display_name|realName|displayName)\b/
    expect(pathsWith(names)).toEqual(['slack/people/named-people.ts'])
  })
})

describe('what is sent to Slack', () => {
  it('goes through one file, which holds it to the limits', () => {
    expect(pathsWith(/'(chat|views|files|conversations\.(open|invite|join)|reactions|pins)\.[a-zA-Z.]+'/)).toEqual([
      'slack/out/message-sender.ts',
    ])
    expect(pathsWith(/\.call\(\s*'(interactive|deliver)'/)).toEqual(['slack/out/message-sender.ts'])
  })

  it('goes through one client, which nobody else makes', () => {
    expect(pathsWith(/new (webApi\.)?WebClient\(|\bchat\.postMessage\(|\bclient\.(chat|views|files)\b/)).toEqual([
      'slack/out/web-api.ts',
    ])
    expect(pathsWith(/\bapiCall\(/)).toEqual(['slack/out/web-api.ts'])
  })

  it('is never said by the shortcuts of Slack’s own library', () => {
    const shortcuts = pathsWith(/\{[^}]*\b(say|respond|client)\b[^}]*\}\) =>/)
    expect(shortcuts.filter((path) => path.startsWith('slack/'))).toEqual([])
  })

  it('has no address but Slack’s own and those it gave', () => {
    expect(pathsWith(/options\.post\(/).filter((path) => path.startsWith('slack/'))).toEqual([
      'slack/out/message-sender.ts',
    ])
    expect(pathsWith(/\bfetch\(|from 'undici'/).filter((path) => path.startsWith('slack/'))).toEqual([])
  })
})
