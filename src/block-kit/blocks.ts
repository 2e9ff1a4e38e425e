import type { actions } from './buttons.ts'
import type { lineChart } from './chart.ts'
import type { InputBlock } from './inputs.ts'
import type { context, divider, header, RichTextBlock, SectionBlock } from './sections.ts'
import type { DataTableBlock } from './table.ts'

/**
 * The blocks the bot sends, as its builders make them and Slack's documentation of 2026-09-14 spells them. Slack's own types
 * lack `data_visualization`.
 */
export type Block =
  | SectionBlock
  | ReturnType<typeof header | typeof context | typeof divider | typeof actions>
  | RichTextBlock
  | DataTableBlock
  | DataVisualizationBlock

/** A chart drawn by Slack. Messages and Home only. */
export type DataVisualizationBlock = NonNullable<ReturnType<typeof lineChart>>

export type ViewBlock = Block | InputBlock
