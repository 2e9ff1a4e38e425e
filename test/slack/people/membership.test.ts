import { describe, expect, it, test } from 'vitest'
import { findBar, type OwnWorkspace, Profile } from '../../../src/slack/people/membership.ts'
import { MEMBER } from '../../support/scripted-directory.ts'

const ALONE: OwnWorkspace = { teamId: 'T1', enterpriseId: undefined }
const GRID: OwnWorkspace = { teamId: 'T1', enterpriseId: 'E1' }
const person = (differs: Readonly<Record<string, unknown>> = {}) =>
  Profile.parse({ user: { ...MEMBER, ...differs } }).user

const DEACTIVATED = 'this account is deactivated'
const BOT = 'bots have no role'
const GUEST = 'guests have no role'
const FOREIGN = 'people of other workspaces have no role'
const UNSTATED = 'Slack does not say that this is a full member'
const MISMATCH = 'the request came from another workspace than Slack names for this person'

/** Somebody who belongs to another workspace first, within an organisation. */
const inGrid = (enterprise: string, ...teams: readonly string[]) => ({
  team_id: 'T9',
  enterprise_user: { enterprise_id: enterprise, teams },
})

describe('a workspace that stands alone has no role for', () => {
  test.each([
    ['somebody deactivated', { deleted: true }, DEACTIVATED],
    [
      'somebody deactivated, as Slack says it',
      { deleted: true, is_bot: undefined, is_restricted: undefined },
      DEACTIVATED,
    ],
    ['a bot', { is_bot: true }, BOT],
    ['a bot that is deactivated', { is_bot: true, deleted: true }, DEACTIVATED],
    ['Slackbot, which says it is none', { id: 'USLACKBOT' }, BOT],
    ['a workflow', { is_workflow_bot: true }, BOT],
    ['a connector', { is_connector_bot: true }, BOT],
    ['a guest', { is_restricted: true }, GUEST],
    ['a guest of one channel', { is_restricted: true, is_ultra_restricted: true }, GUEST],
    ['a guest of one channel, that alone said', { is_ultra_restricted: true }, GUEST],
    ['a stranger', { is_stranger: true }, FOREIGN],
    ['somebody of another workspace', { team_id: 'T2' }, FOREIGN],
    ['somebody of no stated workspace', { team_id: undefined }, FOREIGN],
    ['somebody of an organisation', inGrid('E1', 'T1'), FOREIGN],
    ['somebody not said to be no bot', { is_bot: undefined }, UNSTATED],
    ['somebody not said to be no guest', { is_restricted: undefined }, UNSTATED],
    ['somebody not said to be no guest of one channel', { is_ultra_restricted: undefined }, UNSTATED],
  ])('%s', (_, differs, reason) => {
    expect(findBar(person(differs), ALONE)).toBe(reason)
  })

  it('anybody, until Slack has said which one it is', () => {
    expect(findBar(person(), undefined)).toBe('Slack has not said yet which workspace this is')
  })
})

test.each([
  ['a member', {}, ALONE],
  ['a member of a workspace in a grid', {}, GRID],
  ['a member who belongs to another workspace of the grid first', inGrid('E1', 'T9', 'T1'), GRID],
  ['an owner', { is_owner: true, is_admin: true }, ALONE],
])('a full member is %s', (_, differs, own) => {
  expect(findBar(person(differs), own)).toBeUndefined()
})

test.each([
  ['another organisation, whatever workspaces it lists', inGrid('E2', 'T1'), FOREIGN],
  ['this one, but not in this workspace', inGrid('E1', 'T9'), FOREIGN],
  ['this one, but a stranger', { ...inGrid('E1', 'T1'), is_stranger: true }, FOREIGN],
  ['this one, but a guest', { ...inGrid('E1', 'T1'), is_restricted: true }, GUEST],
])('a workspace in a grid has no role for somebody of %s', (_, differs, reason) => {
  expect(findBar(person(differs), GRID)).toBe(reason)
})

describe('the workspace that a delivery gives', () => {
  test.each([
    ['their own', {}, ALONE, 'T1', undefined],
    ['none', {}, ALONE, null, undefined],
    ['nothing', {}, ALONE, undefined, undefined],
    ['another', {}, ALONE, 'T2', MISMATCH],
    ['an empty one', {}, ALONE, '', MISMATCH],
    ['an organisation where there is none', {}, ALONE, 'E1', MISMATCH],
    ['one of theirs in the grid', inGrid('E1', 'T9', 'T1'), GRID, 'T1', undefined],
    ['their first in the grid', inGrid('E1', 'T1'), GRID, 'T9', undefined],
    ['the organisation', inGrid('E1', 'T1'), GRID, 'E1', undefined],
    ['one of the grid that is not theirs', inGrid('E1', 'T9', 'T1'), GRID, 'T5', MISMATCH],
    ['another organisation', inGrid('E1', 'T1'), GRID, 'E2', MISMATCH],
    ['one of a grid that is not ours', { ...inGrid('E2', 'T1', 'T9'), team_id: 'T1' }, GRID, 'T9', MISMATCH],
  ])('may be %s only if it is the person’s', (_, differs, own, team, reason) => {
    expect(findBar(person(differs), own, team)).toBe(reason)
  })
})
