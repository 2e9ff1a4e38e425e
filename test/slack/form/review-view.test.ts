import { describe, expect, it } from 'vitest'
import { viewProblems } from '../../support/slack-rules.ts'
import type { ReviewPrompt } from '../../../src/execution/changes/change-service.ts'
import type { Review } from '../../../src/operations/declaration/operation.ts'
import type { Effect } from '../../../src/operations/declaration/role.ts'
import { readPlace } from '../../../src/slack/form/form-place.ts'
import { expiredView, noticeView, resultView, waitingView, workingView } from '../../../src/slack/form/notice-views.ts'
import { ALONE_BLOCK, reviewView } from '../../../src/slack/form/review-view.ts'
import { message } from '../../../src/block-kit/message.ts'
import { fitTable } from '../../../src/block-kit/table.ts'
import { md } from '../../../src/block-kit/mrkdwn.ts'
import { section } from '../../../src/block-kit/sections.ts'
import { invocationOf } from '../../support/operation-context.ts'
import { sampleChange } from '../../support/sample-change.ts'
import { sample, sampleList } from '../../support/sample-operation.ts'

const plain: Review = {
  sentence: 'Add an A record www to DNS zone shop (4711)',
  request: [
    ['Name', '_dmarc'],
    ['Value', 'v=DMARC1; p=none'],
  ],
  notes: [],
  warnings: [],
  costs: [],
  irreversible: [],
  panel: undefined,
}

const VALUES = new Map([[sample, { zone: '301', type: 'A', value: 'x' }]])

function review(
  changes: Partial<Review> = {},
  effect: Effect = 'write',
  operation = sample,
  prompt: Partial<ReviewPrompt> = {},
) {
  const invocation = invocationOf(operation, VALUES.get(operation) ?? {})
  const view = reviewView(
    {
      change: sampleChange({ state: 'draft' }),
      invocation: { ...invocation, effect, review: { ...plain, ...changes } },
      decision: { kind: 'confirm', reason: 'You confirm it.' },
      alike: [],
      ...prompt,
    },
    '/cdn',
  )
  expect(viewProblems(view)).toEqual([])
  return { view, said: JSON.stringify(view.blocks) }
}

describe('the review of a write', () => {
  it('says what will be sent and confirms it with the verb of the operation', () => {
    const { view, said } = review()
    expect(view).toMatchObject({ submit: { text: 'Add record' }, close: { text: 'Cancel' }, notify_on_close: true })
    expect(said).toContain('Add an A record www to DNS zone shop (4711)')
    expect(said).toContain('`_dmarc`')
    expect(said).toContain('Not sent yet. Confirm within 10 min.')
    expect(readPlace(view.private_metadata!)).toEqual({ change: 'c1', step: 3 })
  })

  it('names costs and what cannot be undone before the request, and links to the panel', () => {
    const { said } = review({
      costs: ['Each minute encoded is billed.'],
      irreversible: ['Regions cannot be removed.'],
      warnings: ['The type ignores Port.'],
      notes: ['Transcribing is turned on.'],
      panel: new URL('https://panel.example.com/dns/4711'),
    })
    const order = ['Each minute', 'Regions cannot', 'ignores Port', 'What will be sent', '_dmarc', 'Transcribing is']
    const places = order.map((words) => said.indexOf(words))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(said).toContain('<https://panel.example.com/dns/4711|See it in the panel>')
  })

  it('warns of a grave effect that nothing else names', () => {
    expect(review({}, 'billed or irreversible').said).toContain('may be billed, or cannot be undone')
    expect(review({ costs: ['Money.'] }, 'billed or irreversible').said).not.toContain('may be billed, or')
    expect(review().said).not.toContain('may be billed')
  })

  it('offers the way back only where there is a form', () => {
    expect(review().said).toContain('Back to the form')
    expect(review({}, 'write', sampleList).said).not.toContain('Back to the form')
  })

  it('lets nothing from outside format, link or ring', () => {
    const evil = '<!channel> <http://evil.example|bank> *bold* `code` & more'
    const { said } = review({
      sentence: evil,
      request: [
        [evil, evil],
        ['Long', `${evil}\n${evil}`],
      ],
      notes: [evil],
      warnings: [evil],
      costs: [evil],
      irreversible: [evil],
    })
    const mrkdwn = said.replaceAll(/"rich_text_preformatted".*?\]/g, '')
    expect(mrkdwn).not.toMatch(/<!|<http|\*bold\*/)
    expect(said).toContain('&lt;!channel&gt;')
  })

  it('cuts what is too long and says so, but never a cost', () => {
    const many = Array.from({ length: 61 }, (_, index) => [`Field ${index}`, `value ${index}`] as const)
    const costs = Array.from({ length: 40 }, (_, index) => `Cost ${index}: ${'x'.repeat(180)}`)
    const { said } = review({ request: many, costs })
    expect(said).toContain('1 more fields are not shown here, but will be sent.')
    expect(said).not.toContain('value 60')
    for (const cost of costs) expect(said).toContain(cost)
    expect(review({ request: [['Value', 'y'.repeat(2_600)]] }).said).toContain(
      '100 of 2600 characters are not shown here, but will be sent.',
    )
    expect(review({ request: [['Value', 'y'.repeat(2_500)]] }).said).not.toContain('not shown here')
  })
})

describe('the review of what others have asked for, too', () => {
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => sampleChange({ id: `other-${index}`, state: 'done' }))
  const alike = (count: number) => review({}, 'write', sample, { alike: others(count) }).said

  it('warns before everything else, with who asked and what became of it', () => {
    expect(alike(1)).toContain('by <@UOLGA>: *done*. `/cdn changes show other-0`')
    expect(alike(1).indexOf('The same was asked for')).toBeLessThan(alike(1).indexOf('What will be sent'))
    expect(alike(0)).not.toContain('The same was asked for')
  })

  it('names three and counts the others', () => {
    expect(alike(5)).toContain('other-2')
    expect(alike(5)).not.toContain('other-3')
    expect(alike(5)).toContain('and 2 more')
  })
})

describe('the review of what others have to approve', () => {
  const approve = (breakGlass: boolean) => {
    const quorums = [{ count: 2, roles: ['operator', 'admin'], groups: [] }] as const
    const reason = 'The configuration asks for it.'
    return review({}, 'write', sample, { decision: { kind: 'approve', reason, quorums, breakGlass } })
  }

  it('says why and whose approval it takes, and asks for it', () => {
    const { view, said } = approve(false)
    expect(view.submit?.text).toBe('Ask for approval')
    expect(said).toMatch(/The configuration asks for it\. Who: (2|two) operators or admins\./)
    expect(said).toContain('Not sent yet. Ask within 10 min.')
    expect(view.blocks.some(({ type }) => type === 'input')).toBe(false)
  })

  it('shows a user group under its name', () => {
    const quorums = [{ count: 1, roles: [], groups: ['S0LAW'] }] as const
    const decision = { kind: 'approve', reason: 'It takes others.', quorums } as const
    expect(review({}, 'write', sample, { decision }).said).toContain('one member of the user group <!subteam^S0LAW>.')
  })

  it('has a field for the reason of somebody who may go without, and says what it does', () => {
    const { view, said } = approve(true)
    expect(view.submit?.text).toBe('Ask, or send with reason')
    expect(view.blocks.filter(({ type }) => type === 'input')).toMatchObject([
      { block_id: ALONE_BLOCK, optional: true, element: { max_length: 500 } },
    ])
    expect(said).toContain('all admins are told the reason')
  })
})

describe('the other views', () => {
  it('are views Slack takes, without a button that submits', () => {
    const table = fitTable({ caption: 'Days', columns: [{ title: 'Day', kind: 'text' }], rows: [['Monday']] }).block
    const answer = message({
      text: 'Done',
      blocks: [section(md`Stored as _it is_.`), table],
    })
    const views = [
      workingView('Adding <record>', 'x1'),
      resultView('Record added', answer),
      noticeView('Not allowed', 'You may not.', 'Ask an admin.'),
      expiredView('/cdn', 'c1'),
      waitingView(sampleChange({ sentence: 'Add <record>' }), false, '/cdn', 'x2'),
      waitingView(sampleChange(), true, '/cdn'),
    ]
    for (const view of views) {
      expect(viewProblems(view)).toEqual([])
      expect(view.submit).toBeUndefined()
    }
    const said = views.map((view) => JSON.stringify(view.blocks))
    expect(said[0]).toContain('Adding &lt;record&gt;')
    expect(said[1]).toContain('Monday')
    expect(said[2]).toContain('Ask an admin.')
    expect(said[3]).toContain('Back to the form')
    expect(said[4]).toContain('Add &lt;record&gt;')
    expect(said[5]).toContain('Others have been asked, until')
    expect(said[5]).toContain('`/cdn changes cancel c1`')
  })
})

describe('where a view remembers it belongs', () => {
  it.each(['', 'x', '{}', '{"change":"","step":0}', '{"change":"c","step":-1}', '{"change":7,"step":0}', 'null'])(
    'is nowhere for %j',
    (metadata) => {
      expect(readPlace(metadata)).toBeUndefined()
    },
  )
})
