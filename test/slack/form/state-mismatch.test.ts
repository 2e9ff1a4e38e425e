import { describe, expect, it } from 'vitest'
import { findStateMismatch } from '../../../src/slack/form/form-values.ts'
import { formView } from '../../../src/slack/form/form-view.ts'
import { checkContext } from '../../support/operation-context.ts'
import { sample } from '../../support/sample-operation.ts'
import { submittedState } from '../../support/submitted-state.ts'

const GIVEN = { zone: '301', type: 'MX', priority: '5', value: 'x', tags: 'v1', regions: 'v2,v3', accelerated: 'on' }

/** What Slack sends when somebody submits a page of the sample form untouched. */
function state(step: number, values: Record<string, string> = GIVEN) {
  const { zones } = checkContext()
  const view = formView({ operation: sample, step, values, changeId: 'c1', zones })
  return submittedState(view)
}
const typed = (value: string, type = 'plain_text_input') => ({ value: { type, value } })
const chosen = (value: string, type = 'static_select') => ({ value: { type, selected_option: { value } } })
const ticked = (value: string, type = 'checkboxes') => ({ value: { type, selected_options: [{ value }] } })

describe('the state of a page fits', () => {
  it.each([0, 1, 2])('as Slack sends it, untouched: page %i', (step) => {
    expect(findStateMismatch(sample, step, state(step))).toBeUndefined()
    expect(findStateMismatch(sample, step, state(step, {}))).toBeUndefined()
  })

  it.each([
    ['another zone, by its id', 0, { 'zone:dns': chosen('77', 'external_select') }],
    ['a text that a person would be told about', 0, { value: typed('x'.repeat(200)) }],
    ['a number that a person would be told about', 0, { priority: typed('99999', 'number_input') }],
    ['everything that is offered', 1, { tags: ticked('v10'), regions: ticked('v56', 'multi_static_select') }],
  ])('with %s', (_, step, more) => {
    expect(findStateMismatch(sample, step, { ...state(step), ...more })).toBeUndefined()
  })
})

describe('the state of a page does not fit', () => {
  const page = 'It has a value for a field that this form does not have.'
  const input = 'It has an input that this form does not have.'
  const kind = 'It has an input of another kind than this form.'
  const offered = 'It has a choice that was not offered.'
  it.each([
    ['a field that there is not', 0, { owner: typed('x') }, page],
    ['a field that only every object has', 0, { constructor: typed('x') }, page],
    ['the zone without its kind', 0, { zone: chosen('301', 'external_select') }, input],
    ['the zone as another kind', 0, { 'zone:pull': chosen('301', 'external_select') }, input],
    ['another action', 0, { value: { other: { type: 'plain_text_input', value: 'x' } } }, input],
    ['an action too many', 0, { value: { ...typed('x'), other: { type: 'plain_text_input' } } }, input],
    ['no action', 0, { value: {} }, input],
    ['a menu for a text', 0, { value: chosen('x') }, kind],
    ['a text for a menu', 0, { type: typed('MX') }, kind],
    [
      'a choice in a text',
      0,
      { value: { value: { type: 'plain_text_input', selected_option: { value: 'x' } } } },
      offered,
    ],
    ['a choice in a number', 0, { priority: chosen('5', 'number_input') }, offered],
    ['a text far too long', 0, { value: typed('x'.repeat(201)) }, 'It has a longer text than its input takes.'],
    ['a type that is not offered', 0, { type: chosen('TXT') }, offered],
    ['a zone that is no id', 0, { 'zone:dns': chosen('shop', 'external_select') }, offered],
    ['a tag that is not offered', 1, { tags: ticked('v11') }, offered],
    ['a region that is not offered', 1, { regions: ticked('v57', 'multi_static_select') }, offered],
    ['a state that is not offered', 1, { accelerated: chosen('perhaps', 'radio_buttons') }, offered],
    ['a box that is not there', 2, { dryRun: ticked('false') }, offered],
    ['no values at all', 0, { value: 7 }, 'Its values are not readable.'],
  ])('with %s', (_, step, more, mismatch) => {
    expect(findStateMismatch(sample, step, { ...state(step), ...more })).toBe(mismatch)
  })

  it.each([3, 9])('for a page that there is not: %i', (step) => {
    expect(findStateMismatch(sample, step, {})).toBe('It names a page that the form does not have.')
  })
})
