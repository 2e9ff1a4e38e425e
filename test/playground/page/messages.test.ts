import { describe, expect, it } from 'vitest'
import { messageListHtml, phoneHtml, threadListHtml } from '../../../src/playground/page/messages.ts'
import { viewpointOf } from '../../../src/playground/page/viewpoint.ts'
import { BOT_USER_ID, OLGA, VERA } from '../../../src/playground/slack/seed.ts'
import type { ShownFile, ShownMessage } from '../../../src/playground/slack/shown.ts'
import { section } from '../slack/sample-blocks.ts'
import { blocksOf, harmIn, HOSTILE, reader, tagsOf, textOf } from './page-markup.ts'

const NOON_S = Date.parse('2026-11-20T17:00:00Z') / 1_000
const file: ShownFile = {
  id: 'F1',
  name: 'days.csv',
  title: 'All days',
  channel: 'C1',
  content: 'day,bytes\n1,"2,000"\n',
}

function message(over: Partial<ShownMessage> = {}, minutes = 0): ShownMessage {
  return {
    channel: 'C1',
    ts: `${NOON_S + minutes * 60}.000100`,
    author: BOT_USER_ID,
    byBot: true,
    ephemeral: false,
    text: 'words',
    blocks: [],
    threadTs: undefined,
    broadcast: false,
    edited: false,
    files: [],
    ...over,
  }
}

const viewpoint = viewpointOf(new URLSearchParams())
const talk = (messages: readonly ShownMessage[]) => ({ messages, files: [file], viewpoint, reader })
const list = (...messages: readonly ShownMessage[]) => messageListHtml(talk(messages))
const articles = (markup: ReturnType<typeof list>) => tagsOf(markup).filter(({ name }) => name === 'article')

describe('a message', () => {
  it('says who wrote it and when, and whether that is an app', () => {
    expect(textOf(list(message()))).toContain('CDN OpsAPP12:00 PMwords')
    expect(textOf(list(message({ author: VERA })))).toContain('Vera Hribar12:00 PMwords')
  })

  it('says that only one person sees it, and not that the bot edited it, which Slack does not show', () => {
    expect(textOf(list(message({ ephemeral: true })))).toContain('Only visible to you')
    expect(textOf(list(message({ edited: true })))).not.toMatch(/Only visible|edited/)
  })

  it('shows its blocks in place of its text', () => {
    expect(textOf(list(message({ blocks: blocksOf(section('*block*')) })))).toContain('PMblock')
    expect(textOf(list(message({ blocks: blocksOf(section('block')) })))).not.toContain('words')
  })

  it('shows how a shared file begins, with a way to have it', () => {
    const markup = list(message({ files: ['F1', 'F2'] }))
    expect(textOf(markup)).toContain('All days days.csv · 20 bytesday,bytes\n1,"2,000"')
    expect(tagsOf(markup).find(({ attributes }) => 'download' in attributes)?.attributes).toEqual({
      href: '/file?who=olga&id=F1',
      download: 'days.csv',
    })
  })

  it.each(HOSTILE)('does no harm with %s', (_name, text) => {
    const hostile = { ...file, name: `${text}.csv`, title: text, content: text }
    const seen = { ...talk([message({ text, files: ['F1'], author: text })]), files: [hostile] }
    expect(harmIn(messageListHtml(seen))).toEqual([])
    expect(harmIn(phoneHtml({ ...seen, viewpoint: { ...viewpoint, phone: seen.messages[0]?.ts } }))).toEqual([])
  })
})

describe('a conversation', () => {
  it('puts messages that follow each other under one name', () => {
    const compact = articles(
      list(
        message(),
        message({}, 2),
        message({ author: OLGA }, 3),
        message({}, 4),
        message({}, 30),
        message({ ephemeral: true }, 31),
      ),
    )
    expect(compact.map(({ attributes }) => attributes['class']?.includes('compact'))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('leaves answers to threads and counts them', () => {
    const root = message()
    const reply = message({ text: 'an answer', threadTs: root.ts }, 1)
    expect(articles(list(root, reply))).toHaveLength(1)
    expect(textOf(list(root, reply))).toContain('1 reply')
    expect(textOf(list(root, reply, { ...reply, ts: '9.9' }))).toContain('2 replies')
  })

  it('shows an answer that was sent to the channel too, with the way to its thread', () => {
    const root = message()
    const reply = message({ text: 'it begins again', threadTs: root.ts, broadcast: true }, 1)
    const markup = list(root, reply)
    expect(articles(markup)).toHaveLength(2)
    expect(textOf(markup)).toMatch(/1 reply.*replied to a thread.*it begins again/)
    const ways = tagsOf(markup).filter(({ attributes }) => attributes['href']?.includes(`thread=${root.ts}`))
    expect(ways).toHaveLength(4)
    expect(textOf(threadListHtml(talk([root, reply]), root.ts) ?? '')).toMatch(/Also sent to the channel.*again/)
  })

  it('has no thread under what only one person sees', () => {
    expect(list(message({ ephemeral: true })).toString()).not.toContain('Reply in thread')
    expect(list(message()).toString()).toContain('Reply in thread')
  })

  it('shows the newest 120 and says how many are older', () => {
    const markup = list(...Array.from({ length: 125 }, (_, index) => message({}, index)))
    expect(articles(markup)).toHaveLength(120)
    expect(textOf(markup)).toContain('5 older messages')
  })
})

describe('a thread', () => {
  it('shows the message and its answers, and nothing for a message that is gone', () => {
    const root = message({ text: 'the root' })
    const all = [root, message({ text: 'an answer', threadTs: root.ts }, 1), message({ text: 'elsewhere' }, 2)]
    const text = textOf(threadListHtml(talk(all), root.ts) ?? '')
    expect(text).toMatch(/the root.*1 reply.*an answer/)
    expect(text).not.toContain('elsewhere')
    expect(threadListHtml(talk(all), '1.1')).toBeUndefined()
  })
})

describe('a message on a phone', () => {
  it('stands under the notification that announces it, and is nothing when it is gone', () => {
    const shown = { ...talk([message({ blocks: blocksOf(section('*block*')) })]) }
    const text = textOf(phoneHtml({ ...shown, viewpoint: { ...viewpoint, phone: message().ts } }))
    expect(text).toMatch(/On a phone.*CDN Ops words.*CDN OpsAPP.*block/)
    expect(phoneHtml({ ...shown, viewpoint: { ...viewpoint, phone: '1.1' } }).toString()).toBe('')
  })
})
