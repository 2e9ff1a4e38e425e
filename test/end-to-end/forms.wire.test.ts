import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderView } from '../../src/playground/slack/render-text.ts'
import { ADA, OLGA, OTTO, VERA } from '../../src/playground/slack/seed.ts'
import { auditIn, bytesOf, changesIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'

const PROMPT_MS = 10 * 60_000
const RECORD = 'dns add 201 A www 192.0.2.10'
const REVIEW = { until: /═══ Review ═══/ }

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
  await scene.types(ADA, '/cdn zones add dns 201 shop', { until: /shop.*201/ })
})
afterAll(async () => scene.close())

describe('what was typed', () => {
  test('stands in the form when something is missing', async () => {
    await scene.types(OLGA, '/cdn dns add shop MX @ --ttl 5m', { until: /═══ Add a DNS record ═══/ })
    const shown = renderView(scene.person(OLGA).view()!)
    expect(shown).toMatch(/shop \(201\)/)
    expect(scene.person(OLGA).view()?.values).toMatchObject({
      type: { value: { selected_option: { value: 'MX' } } },
      name: { value: { value: '@' } },
      ttl: { value: { value: '5m' } },
    })
    await scene.submits(OLGA, { priority: '10', value: 'mail.example.net' }, REVIEW)
    await scene.person(OLGA).closeView()
  })

  test.each([
    { typed: 'storge stats 101', meant: /Did you mean \/cdn storage stats/ },
    { typed: 'dns ad shop', meant: /Did you mean \/cdn dns add/ },
    { typed: 'logs 301 --cahce MISS', meant: /--cache/ },
    { typed: 'storage stats 101 --sinse 3d', meant: /--since/ },
    { typed: 'dns add shap A www 192.0.2.10', meant: /shop/ },
    { typed: 'dns add shop AAA www 192.0.2.10', meant: /AAAA|\bA\b/ },
  ])('is understood a little wrong: $typed', async ({ typed, meant }) => {
    const before = scene.stage.cdn.requests.length
    await scene.types(OLGA, `/cdn ${typed}`, { until: meant })
    expect(scene.stage.cdn.requests).toHaveLength(before)
    if (scene.person(OLGA).view() !== undefined) await scene.person(OLGA).closeView()
  })
})

describe('reads and names by form', () => {
  test.each([
    { typed: 'storage stats', entries: { 'storageZone:storage': '101' }, until: /Number of files, by day/ },
    { typed: 'logs', entries: { 'pullZone:pull': '301', since: '30m' }, until: /Log of pull zone 301/ },
    { typed: 'zones add', entries: { kind: 'pull', name: 'web', id: '301' }, until: /web.*pull zone 301/ },
    {
      typed: 'zones remove',
      entries: { kind: 'pull', name: 'web' },
      until: /The name web of pull zone 301 is removed/,
    },
  ])('$typed', async ({ typed, entries, until }) => {
    const { view } = await scene.types(OLGA, `/cdn ${typed}`, { until: /═══ .* ═══/ })
    for (const [block, entry] of Object.entries(entries)) {
      const shown = view?.blocks.find((each) => each.type === 'input' && each.block_id === block)
      if (shown?.type !== 'input' || shown.element.type !== 'external_select') continue
      await scene.person(OLGA).suggest(block, shown.element.action_id ?? '', entry)
    }
    await scene.submits(OLGA, entries, { until })
    expect(scene.person(OLGA).view()).toBeUndefined()
  })
})

describe('the form of a library', () => {
  test('keeps what was entered when going back, from the review too', async () => {
    await scene.types(OLGA, '/cdn library create', { until: /Step 1 of 4/ })
    await scene.submits(OLGA, { name: 'demo' }, { until: /Step 2 of 4/ })
    await back()
    await scene.stage.slack.until(() => /Step 1 of 4[\s\S]*demo/.test(shown()))
    await scene.submits(OLGA, {}, { until: /Step 2 of 4/ })
    await scene.submits(OLGA, { resolutions: ['720p', '1080p'] }, { until: /Step 3 of 4/ })
    await scene.submits(OLGA, {}, { until: /Step 4 of 4/ })
    await scene.submits(OLGA, {}, { until: /═══ Review ═══[\s\S]*720p,1080p/ })
    await back()
    await scene.stage.slack.until(() => /Step 4 of 4/.test(shown()))
    await scene.submits(OLGA, {}, { until: /═══ Review ═══[\s\S]*720p,1080p/ })
    await scene.submits(OLGA, {}, { until: /═══ Done ═══[\s\S]*demo/ })
    await scene.person(OLGA).closeView()
    const sent = scene.stage.cdn.requests.findLast(({ endpoint }) => endpoint === 'createVideoLibrary')
    expect(sent?.body).toMatchObject({ Name: 'demo' })
  })

  test('does not let an operator past the first cost alone', async () => {
    const { text } = await scene.types(OLGA, '/cdn library create films --encoding-tier premium', REVIEW)
    expect(text).toMatch(/Somebody else has to approve this[\s\S]*Ask for approval/)
    await scene.person(OLGA).closeView()
  })
})

describe('a review', () => {
  test('that is closed ends the change, and erases its secret values', async () => {
    await scene.types(OLGA, '/cdn dns add 201 Script edge 77 --variables TOKEN=erased-when-closed', REVIEW)
    const draft = changesIn(scene.store).at(-1)
    expect(draft).toMatchObject({ state: 'draft' })
    await scene.person(OLGA).closeView()
    await expect.poll(() => changesIn(scene.store).at(-1)?.state).toBe('cancelled')
    const entry = auditIn(scene.store).findLast(({ changeId }) => changeId === draft?.id)
    expect(entry).toMatchObject({ event: 'cancelled', operation: 'dns add', actor: OLGA })
    await expect.poll(() => bytesOf(scene.store).includes('erased-when-closed')).toBe(false)
  })

  test('that is confirmed twice is sent once', async () => {
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.types(OLGA, `/cdn ${RECORD}`, REVIEW)
    const person = scene.person(OLGA)
    const watch = scene.watch(OLGA)
    const outcomes = await Promise.all([person.submit(), person.submit()])
    expect(outcomes).toEqual([{ ok: true }, { ok: true }])
    await scene.stage.slack.until(() => /was added to DNS zone/.test(watch().text))
    await scene.answersOthers(VERA)
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before + 1)
    expect(watch().messages).toHaveLength(1)
    await person.closeView()
  })

  test('is too old after ten minutes', async () => {
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.types(OLGA, `/cdn ${RECORD}`, REVIEW)
    scene.clock.turn(PROMPT_MS + 1_000)
    await scene.submits(OLGA, {}, { until: /10 minutes[\s\S]*Nothing was sent/ })
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
    await scene.person(OLGA).closeView()
  })

  test('cannot be confirmed by who has lost the role since', async () => {
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.types(OTTO, `/cdn ${RECORD}`, REVIEW)
    scene.stage.slack.workspace.changeMember(OTTO, { kind: 'deactivated' })
    scene.clock.turn(61_000)
    await scene.submits(OTTO, {}, { until: /Nothing was (done|sent)/ })
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
    expect(auditIn(scene.store).findLast(({ actor }) => actor === OTTO)).toMatchObject({ event: 'denied' })
  })
})

async function back(): Promise<void> {
  const view = scene.person(OLGA).view()!
  const block = view.blocks.find((each) => each.type === 'actions')
  if (block?.type !== 'actions') throw new Error('There is no Back')
  await scene.person(OLGA).click({ view }, block.block_id, block.elements[0]?.action_id ?? '')
}

function shown(): string {
  const view = scene.person(OLGA).view()
  return view === undefined ? '' : renderView(view)
}
