import { describe, expect, it } from 'vitest'
import * as bot from '../../../src/block-kit/limits.ts'
import { LIMITS } from '../../../src/playground/slack/blocks/blocks.ts'

/** What the emulator, whose limits were read in the reference anew, allows where the bot has a limit. */
const ALLOWED: Readonly<Record<keyof typeof bot, number>> = {
  MESSAGE_BLOCKS: LIMITS.message.blocks,
  VIEW_BLOCKS: LIMITS.view.blocks,
  VIEW_BYTES: LIMITS.view.bytes,
  MESSAGE_CHARACTERS: LIMITS.message.characters,
  // The emulator's messages take 4,000 characters in an edit and 4,000 bytes for one person's eyes.
  TWIN_BYTES: 4_000,
  VIEW_TITLE_CHARACTERS: Math.min(LIMITS.view.title, LIMITS.view.button),
  PRIVATE_METADATA_CHARACTERS: LIMITS.view.privateMetadata,
  ID_CHARACTERS: Math.min(LIMITS.id, LIMITS.view.id),
  TEXT_CHARACTERS: Math.min(LIMITS.text, LIMITS.section.text),
  SECTION_FIELDS: LIMITS.section.fields,
  HEADER_CHARACTERS: LIMITS.header,
  CONTEXT_ELEMENTS: LIMITS.contextElements,
  ACTIONS_ELEMENTS: LIMITS.actionsElements,
  LABEL_CHARACTERS: Math.min(LIMITS.input.label, LIMITS.input.hint),
  BUTTON_CHARACTERS: LIMITS.button.text,
  BUTTON_VALUE_CHARACTERS: LIMITS.button.value,
  ACCESSIBILITY_LABEL_CHARACTERS: LIMITS.button.accessibilityLabel,
  CONFIRM_TITLE_CHARACTERS: LIMITS.confirm.title,
  CONFIRM_TEXT_CHARACTERS: LIMITS.confirm.text,
  CONFIRM_BUTTON_CHARACTERS: LIMITS.confirm.button,
  PLACEHOLDER_CHARACTERS: LIMITS.placeholder,
  INPUT_CHARACTERS: LIMITS.textInput,
  SELECT_OPTIONS: LIMITS.selectOptions,
  CHECK_OPTIONS: LIMITS.checkOptions,
  OVERFLOW_OPTIONS: LIMITS.overflowOptions,
  OPTION_CHARACTERS: LIMITS.option.text,
  OPTION_VALUE_CHARACTERS: LIMITS.option.value,
  // The emulator counts the header as a row.
  TABLE_ROWS: LIMITS.dataTable.rows - 1,
  TABLE_COLUMNS: LIMITS.dataTable.columns,
  TABLE_CHARACTERS: LIMITS.message.dataTableCharacters,
  TABLE_PAGE_ROWS: LIMITS.dataTable.pageSize,
  // Slack states none; the emulator has none.
  CAPTION_CHARACTERS: Number.POSITIVE_INFINITY,
  MESSAGE_CHARTS: LIMITS.message.charts,
  CHART_TITLE_CHARACTERS: LIMITS.chart.title,
  CHART_SERIES: LIMITS.chart.series,
  CHART_POINTS: LIMITS.chart.points,
  CHART_LABEL_CHARACTERS: LIMITS.chart.label,
  AXIS_LABEL_CHARACTERS: LIMITS.chart.axisLabel,
}

describe('The limits of the bot', () => {
  it.each(Object.entries(bot))('keep %s (%i) within what the emulator allows', (name, limit) => {
    expect(ALLOWED).toHaveProperty(name)
    // The names are the exports of one module.
    expect(limit).toBeLessThanOrEqual(ALLOWED[name as keyof typeof bot])
  })
})
