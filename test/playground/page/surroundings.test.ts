import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { composerHtml, EXAMPLES } from '../../../src/playground/page/composer.ts'
import { auditPanelHtml, platformPanelHtml, requestsPanelHtml } from '../../../src/playground/page/panels.ts'
import { greetingHtml, sidebarHtml } from '../../../src/playground/page/regions.ts'
import { hrefOf, type Place, placeAt, placesOf, SEATS, viewpointOf } from '../../../src/playground/page/viewpoint.ts'
import { ADA, GUS, OLGA } from '../../../src/playground/slack/seed.ts'
import { scene as slack } from '../slack/scripted-app.ts'
import { harmIn, HOSTILE, reader, tagsOf, textOf } from './page-markup.ts'

const viewpoint = viewpointOf(new URLSearchParams())
const { workspace } = slack().parts
const keys = (places: readonly Place[]) => places.map(({ key }) => key)

describe('an address', () => {
  it('begins as an operator in the channel where the work is done', () => {
    expect(viewpoint).toEqual({ who: 'olga', at: 'ops', panel: 'none', theme: 'auto' })
  })

  it('is read back as it was written', () => {
    const ts = '1795205100.000100'
    const other = { who: 'vera', at: 'dm', thread: ts, phone: ts, panel: 'audit', theme: 'dark' } as const
    expect(viewpointOf(new URL(hrefOf(viewpoint, other), 'http://a').searchParams)).toEqual(other)
  })

  it.each(HOSTILE)('makes nothing of %s', (_name, text) => {
    const search = new URLSearchParams({
      who: text,
      at: text,
      thread: text,
      phone: text,
      panel: text,
      theme: text,
      other: text,
    })
    expect(viewpointOf(search)).toEqual(viewpoint)
  })
})

describe('the sidebar', () => {
  it('leads everybody where they may go', () => {
    expect(keys(placesOf(workspace, OLGA))).toEqual(['ops', 'general', 'cdn-private', 'random', 'dm', 'home'])
    expect(keys(placesOf(workspace, ADA))).toContain('secret')
    expect(keys(placesOf(workspace, GUS))).toEqual(['ops', 'dm', 'home'])
    expect(placeAt(placesOf(workspace, GUS), 'secret').key).toBe('ops')
  })

  it('offers every seat, says which one is taken, and lets one row stand out', () => {
    const places = placesOf(workspace, OLGA)
    const markup = sidebarHtml(viewpoint, places, placeAt(places, 'ops'), reader.names)
    const names = Object.values(SEATS).map(({ userId }) => reader.names.member(userId)?.realName ?? '')
    for (const name of names) expect(textOf(markup)).toContain(name)
    expect(new Set(names.map((name) => name.replace(/(?<=\w)\w+/g, ''))).size).toBe(names.length)
    expect(tagsOf(markup).flatMap(({ attributes }) => attributes['aria-current'] ?? [])).toEqual(['true', 'page'])
  })
})

describe('the composer', () => {
  it('offers the shortcuts of the app and examples of commands that exist, and is not there on Home', () => {
    const [ops] = placesOf(workspace, OLGA)
    const shortcuts = [{ callbackId: 'dns_add', name: 'Add a DNS record', description: 'Opens the form' }]
    const tags = tagsOf(composerHtml(ops!, shortcuts))
    expect(tags.flatMap(({ attributes }) => attributes['data-shortcut'] ?? [])).toEqual(['dns_add'])
    const examples = tags.flatMap(({ attributes }) => attributes['data-example'] ?? [])
    expect(examples).toHaveLength(EXAMPLES.length)
    for (const example of examples) {
      expect(OPERATIONS.filter(({ name }) => `${example} `.startsWith(`/cdn ${name} `))).toHaveLength(1)
    }
    expect(composerHtml({ kind: 'home', key: 'home' }, shortcuts).toString()).toBe('')
  })
})

describe('the first minute', () => {
  it('offers three stories, the alert first', () => {
    const markup = greetingHtml(placeAt(placesOf(workspace, OLGA), 'ops'))
    const stories = tagsOf(markup).flatMap(({ attributes }) => attributes['data-story'] ?? [])
    expect(stories).toEqual(['alert', 'approval', 'unknown'])
  })
})

describe('the side panel', () => {
  it('shows switches as they stand and buttons to press', () => {
    const controls = [
      { id: 'down', label: 'Origin down', hint: 'It fails', on: true },
      { id: 'key', label: 'New key', hint: 'One more' },
    ] as const
    const buttons = tagsOf(platformPanelHtml(controls, 2)).filter(({ attributes }) => 'data-control' in attributes)
    expect(
      buttons.map(({ attributes }) => [attributes['role'], attributes['aria-checked'], attributes['data-on']]),
    ).toEqual([
      ['switch', 'true', 'no'],
      [undefined, undefined, 'yes'],
    ])
  })

  const request = {
    endpoint: undefined,
    method: 'PUT',
    path: '/a',
    query: { since: '1h' } as Readonly<Record<string, string>>,
    body: { Id: 2n ** 60n } as unknown,
    at: reader.now,
    status: 201,
    carriedOut: true,
    fault: undefined,
  }

  it('shows requests newest first, with whole numbers of any size', () => {
    const broken = { ...request, path: '/b', status: undefined, fault: 'reset' as const }
    const text = textOf(requestsPanelHtml([request, broken], reader))
    expect(text.indexOf('/b')).toBeLessThan(text.indexOf('/a'))
    expect(text).toContain('1152921504606846976')
    expect(text).toContain('✕ reset')
    expect(textOf(requestsPanelHtml([], reader))).toContain('Nothing has reached')
  })

  it.each(HOSTILE)('does no harm with %s', (_name, text) => {
    const words = { actor: text, team: text, operation: text, event: text, summary: text, detail: text, hash: text }
    const hostile = { ...request, method: text, path: text, query: { [text]: text }, body: { [text]: text } }
    expect(harmIn(requestsPanelHtml([hostile], reader))).toEqual([])
    expect(harmIn(auditPanelHtml([{ seq: 1, at: reader.now, ...words }], reader))).toEqual([])
  })

  it('says so when the record cannot be read', () => {
    expect(textOf(auditPanelHtml(undefined, reader))).toContain('cannot be read')
    expect(textOf(auditPanelHtml([], reader))).toContain('Nothing is on record')
  })
})
