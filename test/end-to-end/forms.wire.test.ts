import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderView } from '../../src/playground/slack/render-text.ts'
import { ADA, OLGA, OPS } from '../../src/playground/slack/state/seed.ts'
import { forger } from '../support/forger.ts'
import { auditIn, bytesOf, changesIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'

const PROMPT_MS = 10 * 60_000
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

  test('with slips in both words opens the form, filled in, at a click', async () => {
    await scene.types(OLGA, '/cdn dsn ad shop A api 192.0.2.11', {
      until: /Did you mean `\/cdn dns add shop A api 192/,
    })
    await scene.presses(OLGA, 'Open the form', { until: /═══ Add a DNS record ═══/ })
    expect(scene.person(OLGA).view()?.values).toMatchObject({
      type: { value: { selected_option: { value: 'A' } } },
      name: { value: { value: 'api' } },
    })
    await scene.person(OLGA).closeView()
  })
})

describe('the form of a library', () => {
  test('keeps what was entered when going back, from the review too', async () => {
    await scene.types(OLGA, '/cdn library create', { until: /Step 1 of 4/ })
    await scene.submits(OLGA, { name: 'demo' }, { until: /Step 2 of 4/ })
    await navigate()
    await scene.stage.slack.until(() => /Step 1 of 4[\s\S]*demo/.test(shown()))
    await scene.submits(OLGA, {}, { until: /Step 2 of 4/ })
    await scene.submits(OLGA, { resolutions: ['720p', '1080p'] }, { until: /Step 3 of 4/ })
    await scene.submits(OLGA, {}, { until: /Step 4 of 4/ })
    await scene.submits(OLGA, {}, { until: /═══ Review ═══[\s\S]*720p,1080p/ })
    await navigate()
    await scene.stage.slack.until(() => /Step 1 of 4/.test(shown()))
    await navigate(-1)
    await scene.stage.slack.until(() => /═══ Review ═══[\s\S]*720p,1080p/.test(shown()))
    await scene.submits(OLGA, {}, { until: /═══ Done ═══[\s\S]*demo/ })
    await scene.person(OLGA).closeView()
    const sent = scene.stage.cdn.requests.findLast(({ endpoint }) => endpoint === 'createVideoLibrary')
    expect(sent?.body).toMatchObject({ Name: 'demo' })
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
})

describe('the way back to a form', () => {
  const FORM = /═══ Add a DNS record ═══/
  const filled = () => scene.person(OLGA).view()?.values
  const named = (name: string) => ({
    type: { value: { selected_option: { value: 'A' } } },
    name: { value: { value: name } },
  })
  const sent = () => scene.stage.cdn.count('addDnsRecord')

  test.each([429, 400])('stands under a refusal of the CDN (%i), in the modal and in the channel', async (status) => {
    const before = sent()
    await scene.types(OLGA, '/cdn dns add 201 A again 192.0.2.77', REVIEW)
    scene.stage.cdn.faults.set('addDnsRecord', { kind: 'status', status }, { times: 1 })
    await scene.submits(OLGA, {}, { until: /═══ Refused ═══[\s\S]*\[Back to the form\]/ })
    await navigate()
    await scene.stage.slack.until(() => FORM.test(shown()))
    expect(filled()).toMatchObject(named('again'))
    await scene.person(OLGA).closeView()
    await scene.presses(OLGA, 'Back to the form', { until: FORM })
    expect(filled()).toMatchObject(named('again'))
    await scene.submits(OLGA, { name: `again${status}` }, REVIEW)
    await scene.submits(OLGA, {}, { until: /═══ Done ═══/ })
    await scene.person(OLGA).closeView()
    expect(sent()).toBe(before + 2)
  })

  test('from what is too old has what was entered last, for whose it is alone', async () => {
    await scene.types(OLGA, '/cdn dns add 201 A', { until: FORM })
    scene.clock.turn(PROMPT_MS + 1_000)
    // One of the two links may end with such a turn: each is used once, and known by then.
    for (const _link of [1, 2]) await scene.person(ADA).command(OPS, '/cdn whoami')
    await scene.submits(OLGA, { name: 'late', value: '192.0.2.78' }, { until: /10 minutes[\s\S]*\[Back to the form\]/ })
    const { id } = changesIn(scene.store).at(-1)!
    const { ts } = scene.person(ADA).messages(OPS).at(-1)!
    const watch = scene.watch(ADA)
    await forger(scene.stage.slack, ADA).click({ channel: OPS, ts, actionId: 'change:again', value: id })
    await scene.stage.slack.until(() => /not known any more/.test(watch().text))
    await navigate()
    await scene.stage.slack.until(() => FORM.test(shown()))
    expect(filled()).toMatchObject(named('late'))
    await scene.submits(OLGA, {}, REVIEW)
    await scene.person(OLGA).closeView()
  })

  test('asks for secrets again: they were erased', async () => {
    const secret = 'erased-with-the-end'
    await scene.types(OLGA, `/cdn dns add 201 Script edge 78 --variables TOKEN=${secret}`, REVIEW)
    scene.stage.cdn.faults.set('addDnsRecord', { kind: 'status', status: 400 }, { times: 1 })
    await scene.submits(OLGA, {}, { until: /═══ Refused ═══/ })
    await navigate()
    await scene.stage.slack.until(() => FORM.test(shown()))
    expect(filled()).toMatchObject({ script: { value: { value: '78' } } })
    expect(JSON.stringify(scene.person(OLGA).view())).not.toMatch(/••••|erased-with-the-end/)
    await scene.person(OLGA).closeView()
  })
})

/** Presses Back, which comes first where there is one; the last button leads on. */
async function navigate(place = 0): Promise<void> {
  const view = scene.person(OLGA).view()!
  const block = view.blocks.find((each) => each.type === 'actions')
  if (block?.type !== 'actions') throw new Error('There is nothing to press')
  await scene.person(OLGA).click({ view }, block.block_id, block.elements.at(place)?.action_id ?? '')
}

function shown(): string {
  const view = scene.person(OLGA).view()
  return view === undefined ? '' : renderView(view)
}
