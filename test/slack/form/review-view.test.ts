import { describe, expect, it } from 'vitest'
import { viewProblems } from '../../support/slack-rules.ts'
import { readText } from '../../support/read-text.ts'
import type { ModalView } from '../../../src/block-kit/view.ts'
import type { ReviewPrompt } from '../../../src/execution/changes/change-service.ts'
import type { Review } from '../../../src/operations/declaration/operation.ts'
import type { Effect } from '../../../src/operations/declaration/role.ts'
import { readPlace, writePlace } from '../../../src/slack/form/form-place.ts'
import {
  expiredView,
  noticeView,
  resultView,
  stateMessage,
  stateView,
  waitingView,
  workingView,
} from '../../../src/slack/form/notice-views.ts'
import {
  ALONE_BLOCK,
  approvalView,
  DECLINE_BLOCK,
  declineView,
  reviewView,
} from '../../../src/slack/form/review-view.ts'
import { message } from '../../../src/block-kit/message.ts'
import { fitTable } from '../../../src/block-kit/table.ts'
import { md } from '../../../src/block-kit/mrkdwn.ts'
import { section } from '../../../src/block-kit/sections.ts'
import { invocationOf, NOW } from '../../support/operation-context.ts'
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

/** When it was asked for, a while after its form was opened. */
const LATER = new Date(NOW.getTime() + 300_000)
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
    const { view } = review()
    expect(view).toMatchObject({ callback_id: 'review', notify_on_close: true })
    expect(readText(view)).toBe(
      '═══ Review ═══\n*Add an A record www to DNS zone shop (4711)*\n────────────────────────────────────────\n# What will be sent\n*Name*\n`_dmarc`\n*Value*\n`v=DMARC1; p=none`\nNot sent yet. Confirm within 10 min.\n[Back to the form]\n[Cancel] [Add record]',
    )
    expect(readPlace(view.private_metadata!)).toEqual({ change: 'c1', step: 3 })
  })

  it('names costs and what cannot be undone before the request, and links to the panel; without a form nothing leads back', () => {
    const words = {
      costs: ['Each minute encoded is billed.'],
      irreversible: ['Regions cannot be removed.'],
      warnings: ['The type ignores Port.'],
      notes: ['Transcribing is turned on.'],
      panel: new URL('https://panel.example.com/dns/4711'),
    }
    const { view } = review(words, 'write', sampleList)
    expect(readPlace(view.private_metadata!)).toEqual({ change: 'c1', step: 0 })
    expect(readText(view)).toBe(
      '═══ Review ═══\n*Add an A record www to DNS zone shop (4711)*\n:moneybag: *This costs money*\n• Each minute encoded is billed.\n:no_entry: *This cannot be undone*\n• Regions cannot be removed.\n:warning: *Please note*\n• The type ignores Port.\n────────────────────────────────────────\n# What will be sent\n*Name*\n`_dmarc`\n*Value*\n`v=DMARC1; p=none`\n*Changed from what was typed*\n• Transcribing is turned on.\nNot sent yet. Confirm within 10 min.  See it in the panel (https://panel.example.com/dns/4711)\n[Cancel] [Continue]',
    )
  })

  it('warns of a grave effect that nothing else names', () => {
    expect(review({}, 'billed or irreversible').said).toContain('may be billed, or cannot be undone')
    expect(review({ costs: ['Money.'] }, 'billed or irreversible').said).not.toContain('may be billed, or')
    expect(review({ irreversible: ['It stays.'] }, 'billed or irreversible').said).not.toContain('may be billed, or')
    expect(review().said).not.toContain('may be billed')
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
    expect(said).toContain('"1 more fields are not shown here, but will be sent.')
    expect(said).not.toContain('value 60')
    for (const cost of costs) expect(said).toContain(cost)
    expect(review({ request: [['Value', 'y'.repeat(2_600)]] }).said).toContain(
      '100 of 2600 characters are not shown here, but will be sent.',
    )
    expect(review({ request: [['Value', 'y'.repeat(2_500)]] }).said).not.toContain('not shown here')
  })
})

describe('the review of what others have asked for, too', () => {
  it.each([
    [1, []],
    [3, []],
    [5, ['• and 2 more']],
  ])('warns before everything else, with who asked and what became of it, and names three of %i', (count, more) => {
    const other = (index: number) => sampleChange({ id: `other-${index}`, state: 'done', requestedAt: LATER })
    const alike = Array.from({ length: count }, (_, index) => other(index))
    const named = alike
      .slice(0, 3)
      .map(({ id }) => `• 2026-11-20 12:05 UTC by @UOLGA: *done*. \`/cdn changes show ${id}\``)
    const text = readText(review({}, 'write', sample, { alike }).view)
    const [, before = ''] = text.split(/shop \(4711\)\*\n|\n─/)
    expect(before.split('\n')).toEqual([':warning: *The same was asked for already*', ...named, ...more])
  })
})

const QUORUMS = [{ count: 2, roles: ['operator', 'admin'], groups: [] }] as const
const APPROVE = { kind: 'approve', reason: 'The configuration asks for it.', quorums: QUORUMS } as const

describe('the review of what others have to approve', () => {
  const ASKED_FOR = ':busts_in_silhouette: The configuration asks for it. Who: 2 operators or admins.'
  const [LIMIT, BACK] = ['Not sent yet. Ask within 10 min.', '[Back to the form]']
  it.each([
    ['and asks for it', APPROVE, [ASKED_FOR, LIMIT, BACK, '[Cancel] [Ask for approval]']],
    [
      'a user group under its name',
      { ...APPROVE, quorums: [{ count: 1, roles: [], groups: ['S0LAW'] }] },
      [
        ASKED_FOR.replace('2 operators or admins', 'one member of the user group @S0LAW'),
        LIMIT,
        BACK,
        '[Cancel] [Ask for approval]',
      ],
    ],
    [
      'with a field for the reason of somebody who may go without',
      { ...APPROVE, breakGlass: true },
      [
        ASKED_FOR,
        'To go without approval: why? (optional): []',
        '  Left empty, others are asked. With a reason it is sent at once, and all admins are told the reason.',
        LIMIT,
        BACK,
        '[Cancel] [Ask, or send with reason]',
      ],
    ],
  ] as const)('says why and whose approval it takes, %s', (_, decision, end) => {
    const { view } = review({}, 'write', sample, { decision })
    expect(readText(view).split('none`\n')[1]?.split('\n')).toEqual(end)
    const inputs = view.blocks.filter(({ type }) => type === 'input')
    expect(inputs).toMatchObject(
      'breakGlass' in decision ? [{ block_id: ALONE_BLOCK, element: { max_length: 500, multiline: true } }] : [],
    )
  })
})

describe('what somebody reads before they decide about a change', () => {
  const invocation = { ...invocationOf(sample, VALUES.get(sample) ?? {}), review: plain }
  const change = sampleChange({ requestedAt: LATER })
  const prompt = {
    change,
    invocation,
    alike: [sampleChange({ state: 'done' })],
    decision: APPROVE,
    approvals: [],
    lapsed: [],
  }
  const UADA = { changeId: 'c1', person: 'UADA', at: LATER } as never

  it.each([
    [
      'nobody has approved',
      prompt,
      '═══ Approve? ═══\n*Add an A record www to DNS zone shop (4711)*\nAsked by @UOLGA, 2026-11-20 12:05 UTC  Needs 2 operators or admins  Nobody has approved it yet  Until 2026-11-20 13:00 UTC\n:warning: *The same was asked for already*\n• 2026-11-20 12:00 UTC by @UOLGA: *done*. `/cdn changes show c1`\n────────────────────────────────────────\n# What will be sent\n*Name*\n`_dmarc`\n*Value*\n`v=DMARC1; p=none`\nIt is sent at once with the last approval it needs.\n[Back] [Approve]',
    ],
    [
      'somebody has',
      {
        ...prompt,
        approvals: [UADA],
        invocation: { ...invocation, review: { ...plain, panel: new URL('https://panel.example.com/dns/4711') } },
      },
      '═══ Approve? ═══\n*Add an A record www to DNS zone shop (4711)*\nAsked by @UOLGA, 2026-11-20 12:05 UTC  Needs 2 operators or admins  Approved by @UADA  Until 2026-11-20 13:00 UTC\n:warning: *The same was asked for already*\n• 2026-11-20 12:00 UTC by @UOLGA: *done*. `/cdn changes show c1`\n────────────────────────────────────────\n# What will be sent\n*Name*\n`_dmarc`\n*Value*\n`v=DMARC1; p=none`\nIt is sent at once with the last approval it needs.  See it in the panel (https://panel.example.com/dns/4711)\n[Back] [Approve]',
    ],
  ])('is, before an approval, the whole of it: %s', (_, given, text) => {
    const view = approvalView(given, '/cdn', true)
    expect(viewProblems(view)).toEqual([])
    expect(readText(view)).toBe(text)
    expect([view.callback_id, readPlace(view.private_metadata!)]).toEqual([
      'approve',
      { change: 'c1', step: 0, onHome: true },
    ])
  })

  it('says whose approval counts no longer', () => {
    const view = approvalView({ ...prompt, approvals: [UADA], lapsed: ['UADA'] }, '/cdn', false)
    expect(readText(view)).toContain('The approval of @UADA no longer counts, as roles and user groups are now')
  })

  it('is, before it is declined, what it is and what that means', () => {
    const view = declineView({ ...prompt, change: { ...change, sentence: undefined } })
    expect(viewProblems(view)).toEqual([])
    expect(readText(view)).toBe(
      '═══ Decline? ═══\n*record add*\nAsked by @UOLGA, 2026-11-20 12:05 UTC  Needs 2 operators or admins  Nobody has approved it yet  Until 2026-11-20 13:00 UTC\nWhy not? (optional): []\n  Shown in the message about it, and to whoever asked.\nThis ends it: nothing is sent, whoever else has approved it.\n[Back] [Decline]',
    )
    expect([view.callback_id, readPlace(view.private_metadata!)]).toEqual(['decline', { change: 'c1', step: 0 }])
    expect(view.blocks).toContainEqual(
      expect.objectContaining({
        block_id: DECLINE_BLOCK,
        element: expect.objectContaining({ max_length: 500, multiline: true }),
      }),
    )
  })
})

describe('the other views', () => {
  const table = fitTable({ caption: 'Days', columns: [{ title: 'Day', kind: 'text' }], rows: [['Monday']] }).block
  const answer = message({ text: 'Done', blocks: [section(md`Stored as _it is_.`), table] })
  const nameless = sampleChange({ sentence: undefined })
  const ended = sampleChange({ state: 'cancelled', endedBy: 'UOTTO', outcome: 'Olga went home.' })
  it.each<[ModalView, string]>([
    [
      workingView('Adding <record>', 'x1'),
      '═══ Working… ═══\n:hourglass_flowing_sand: Adding <record>\nYou may close this: the answer is posted as a message, too.\n[Close]',
    ],
    [resultView('Record added', answer), '═══ Record added ═══\nStored as _it is_.\n*Days*\nDay\nMonday\n[Done]'],
    [
      noticeView('Not allowed', 'You may not.', 'Ask an admin.'),
      '═══ Not allowed ═══\nYou may not.\nAsk an admin.\n[Close]',
    ],
    [noticeView('Not allowed', 'You may not.'), '═══ Not allowed ═══\nYou may not.\n[Close]'],
    [
      expiredView('/cdn', 'c1'),
      '═══ Too late ═══\nThis form has expired or was answered already. Nothing was done by this click.\n[Back to the form]\n[Close]',
    ],
    [
      expiredView('/cdn'),
      '═══ Too late ═══\nThis form has expired or was answered already. Nothing was done by this click.\nStart again with `/cdn help`\n[Close]',
    ],
    [
      waitingView(nameless, '/cdn'),
      '═══ Waiting for approval ═══\n:hourglass_flowing_sand: *record add*\nOthers are being asked. It waits until 2026-11-20 13:00 UTC; nothing is sent yet.\nYou will hear how it ends. To withdraw it: `/cdn changes cancel c1`\n[Close]',
    ],
    [
      stateView(ended, '/cdn'),
      '═══ Current state ═══\n:no_entry: *Cancelled: nothing was sent* (by @UOTTO)\nAdd a record\nOlga went home.\nThis click did nothing more.\n`/cdn changes show c1`\n[Back to the form]\n[Done]',
    ],
    [
      stateView({ ...nameless, endedBy: 'cdn-ops' }, '/cdn', 'You said so.'),
      '═══ Current state ═══\n:hourglass_flowing_sand: *Waiting for approval*\nrecord add\nYou said so.\n`/cdn changes show c1`\n[Done]',
    ],
  ])('are views Slack takes, without a button that submits: %#', (view, text) => {
    expect(viewProblems(view)).toEqual([])
    expect([view.submit, view.callback_id]).toEqual([undefined, 'notice'])
    expect(readText(view)).toBe(text)
  })

  it('are found again by the id that one of them is given', () => {
    expect(workingView('x', 'x1').external_id).toBe('x1')
  })

  it('say how a change stands in words alone, too', () => {
    expect(stateMessage(ended, '/cdn').text).toBe(
      'Cancelled: nothing was sent (by somebody)\nAdd a record\nOlga went home.\nThis click did nothing more.\n/cdn changes show c1',
    )
  })
})

describe('where a view remembers it belongs', () => {
  it.each([
    `{"change":"${'c'.repeat(65)}","step":0}`,
    '{"change":"c","step":11}',
    '',
    'x',
    '{}',
    '{"change":"","step":0}',
    '{"change":"c","step":-1}',
    '{"change":7,"step":0}',
    'null',
  ])('is nowhere for %j', (metadata) => {
    expect(readPlace(metadata)).toBeUndefined()
  })

  it('is a page of a change', () => {
    const place = { change: 'c'.repeat(64), step: 10 }
    expect(readPlace(writePlace(place))).toEqual(place)
  })
})
