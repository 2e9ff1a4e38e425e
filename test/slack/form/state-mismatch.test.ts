import { describe, expect, it } from 'vitest'
import { fitsForm } from '../../../src/slack/form/form-values.ts'
import { formView } from '../../../src/slack/form/form-view.ts'
import { checkContext } from '../../support/operation-context.ts'
import { sample } from '../../support/sample-operation.ts'
import { submittedState } from '../../support/submitted-state.ts'

const GIVEN = { zone: '301', type: 'MX', priority: '5', value: 'x', tags: 'v1', regions: 'v2,v3', accelerated: 'on' }

/** What Slack sends when somebody submits a page of the sample form untouched. */
function state(step: number, values: Record<string, string> = GIVEN) {
  const { zones } = checkContext()
  const view = formView({ operation: sample, step, values, change: { id: 'c1', channelId: undefined }, zones })
  return submittedState(view)
}
const typed = (value: string, type = 'plain_text_input') => ({ value: { type, value } })
const chosen = (value: string, type = 'static_select') => ({ value: { type, selected_option: { value } } })
const ticked = (value: string, type = 'checkboxes') => ({ value: { type, selected_options: [{ value }] } })

describe('the state of a page fits', () => {
  it.each([0, 1, 2])('as Slack sends it, untouched: page %i', (step) => {
    expect(fitsForm(sample, step, state(step))).toBe(true)
    expect(fitsForm(sample, step, state(step, {}))).toBe(true)
  })

  it.each([
    ['another zone, by its id', 0, { 'zone:dns': chosen('77', 'external_select') }],
    ['a text that a person would be told about', 0, { value: typed('x'.repeat(200)) }],
    ['a number that a person would be told about', 0, { priority: typed('99999', 'number_input') }],
    ['everything that is offered', 1, { tags: ticked('v10'), regions: ticked('v56', 'multi_static_select') }],
  ])('with %s', (_, step, more) => {
    expect(fitsForm(sample, step, { ...state(step), ...more })).toBe(true)
  })
})

describe('the state of a page does not fit', () => {
  it.each([
    ['a field that there is not', 0, { owner: typed('x') }],
    ['a field that only every object has', 0, { constructor: typed('x') }],
    ['the zone without its kind', 0, { zone: chosen('301', 'external_select') }],
    ['the zone as another kind', 0, { 'zone:pull': chosen('301', 'external_select') }],
    ['another action', 0, { value: { other: { type: 'plain_text_input', value: 'x' } } }],
    ['an action too many', 0, { value: { ...typed('x'), other: { type: 'plain_text_input' } } }],
    ['no action', 0, { value: {} }],
    ['a menu for a text', 0, { value: chosen('x') }],
    ['a text for a menu', 0, { type: typed('MX') }],
    ['a choice in a text', 0, { value: { value: { type: 'plain_text_input', selected_option: { value: 'x' } } } }],
    ['a choice in a number', 0, { priority: chosen('5', 'number_input') }],
    ['a text far too long', 0, { value: typed('x'.repeat(201)) }],
    ['a type that is not offered', 0, { type: chosen('TXT') }],
    ['a zone that is no id', 0, { 'zone:dns': chosen('shop', 'external_select') }],
    ['a tag that is not offered', 1, { tags: ticked('v11') }],
    ['a region that is not offered', 1, { regions: ticked('v57', 'multi_static_select') }],
    ['a state that is not offered', 1, { accelerated: chosen('perhaps', 'radio_buttons') }],
    ['a box that is not there', 2, { dryRun: ticked('false') }],
    ['no values at all', 0, { value: 7 }],
  ])('with %s', (_, step, more) => {
    expect(fitsForm(sample, step, { ...state(step), ...more })).toBe(false)
  })

  it.each([3, 9])('for a page that there is not: %i', (step) => {
    expect(fitsForm(sample, step, {})).toBe(false)
  })
})
