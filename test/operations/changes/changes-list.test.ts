import { describe, expect, it } from 'vitest'
import { changesList } from '../../../src/operations/changes/changes-list.ts'
import { problemsOf } from '../../support/operation-context.ts'
import { entry } from '../../store/harness.ts'
import { ChangesBench } from './changes-bench.ts'

const bench = new ChangesBench()

describe('listing changes', () => {
  it('says when there is none', async () => {
    expect((await bench.ask(changesList, {})).text).toBe('Nothing has been asked for yet.')
    expect((await bench.ask(changesList, { mine: 'true' })).text).toBe('No change fits.')
  })

  it('shows what was asked for, by whom and what became of it, the newest first, and no open forms', async () => {
    const done = await bench.have('done', { requestedBy: 'U222' })
    const unknown = await bench.have('unknown')
    await bench.have('draft')
    const { text, said, buttons } = await bench.ask(changesList, {})
    expect(text).toContain('2 changes, the newest first')
    expect(text.indexOf('unknown: A change that is unknown')).toBeLessThan(text.indexOf('done: A change that is done'))
    expect(text).not.toContain('draft')
    expect(said).toContain('<@U222>')
    for (const { id } of [done, unknown]) expect(text).toContain(id)
    expect(buttons).toEqual([{ kind: 'page', label: 'Only mine', values: { mine: 'true' } }])
  })

  it('leaves out forms that were given up before there was anything to confirm', async () => {
    const givenUp = await bench.have('draft', { sentence: undefined })
    const withdrawn = await bench.have('draft')
    for (const { id } of [givenUp, withdrawn]) {
      const now = bench.harness.clock.now()
      await bench.store.changes.move(id, { from: ['draft'], to: 'cancelled', now, audit: entry('cancelled') })
    }
    const { text } = await bench.ask(changesList, {})
    expect(text).toContain('One change, the newest first')
    expect(text).toContain(withdrawn.id)
    expect(text).not.toContain(givenUp.id)
  })

  it('finds those of one person and those in some states', async () => {
    await bench.have('done', { requestedBy: 'U222' })
    await bench.have('waiting')
    expect((await bench.ask(changesList, { mine: 'true' })).text).not.toContain('is done')
    const states = await bench.ask(changesList, { state: ['done', 'rejected'] })
    expect(states.text).toContain('is done')
    expect(states.text).not.toContain('is waiting')
    expect(states.buttons).toContainEqual({
      kind: 'page',
      label: 'Only mine',
      values: { state: ['done', 'rejected'], mine: 'true' },
    })
    expect(problemsOf(changesList, { state: 'draft' })).toHaveLength(1)
    expect(problemsOf(changesList, { state: 'being sent, Done' })).toEqual([])
  })

  it('shows fifteen at once and the older ones behind a button', async () => {
    for (let index = 0; index < 17; index++) await bench.have('done', { sentence: `Number ${index}.` })
    const first = await bench.ask(changesList, { mine: 'true' })
    const older = first.buttons?.[0]
    if (older?.kind !== 'page') throw new Error('There is no button to older ones')
    expect(older).toMatchObject({ label: 'Older', values: { mine: 'true' } })
    expect(first.text).toContain('Number 2.')
    expect(first.text).not.toContain('Number 1.')
    const second = await bench.ask(changesList, older.values)
    expect(second.text).toMatch(/2 changes[^]*Number 1\.[^]*Number 0\./)
    expect(second.buttons).toEqual([])
  })

  it('lets no sentence act in Slack or crowd out the others', async () => {
    for (let index = 0; index < 15; index++)
      await bench.have('done', { sentence: `<!channel> *x* ${'y'.repeat(1_500)}` })
    const { said, message } = await bench.ask(changesList, {})
    expect(said).not.toContain('<!channel>')
    expect(message.blocks.filter(({ type }) => type === 'section')).toHaveLength(16)
  })

  it('says of what waits who has approved it so far, and until when it waits', async () => {
    const { id } = await bench.have('waiting', { hash: 'h' })
    expect((await bench.ask(changesList, {})).text).toMatch(
      /waiting for approval: .*\n.* · no approval so far · until 20/,
    )
    for (const person of ['U0ADA', 'U0OTTO']) await bench.approve(id, person)
    const { text, said } = await bench.ask(changesList, { state: 'waiting' })
    expect(said).toContain('2 approvals: <@U0ADA>, <@U0OTTO>')
    expect(text).not.toContain('no approval')
    const { clock } = bench.harness
    const audit = entry('approved')
    await bench.store.changes.move(id, { from: ['waiting'], to: 'approved', now: clock.now(), audit })
    const approved = await bench.ask(changesList, {})
    expect(approved.text).toContain('2 approvals')
    expect(approved.text).not.toContain('until')
  })

  it('does not speak of approvals where nobody was asked', async () => {
    await bench.have('done')
    expect((await bench.ask(changesList, {})).text).not.toContain('approval')
  })
})
