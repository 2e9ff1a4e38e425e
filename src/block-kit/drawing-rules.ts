import type { DataTableBlock, DataVisualizationBlock, TableCell } from './blocks.ts'
import { tableCharactersOf } from './block-characters.ts'
import {
  AXIS_LABEL_CHARACTERS,
  CAPTION_CHARACTERS,
  CHART_LABEL_CHARACTERS,
  CHART_POINTS,
  CHART_SERIES,
  CHART_TITLE_CHARACTERS,
  TABLE_CHARACTERS,
  TABLE_COLUMNS,
  TABLE_PAGE_ROWS,
  TABLE_ROWS,
} from './limits.ts'
import { countProblems, optionalTextProblems, repeated, textProblems, unless, type Problem } from './problems.ts'

/** What Slack would refuse of a data table. */
export function dataTableProblems(table: DataTableBlock, pointer: string): readonly Problem[] {
  const { caption, rows, page_size: pageRows = 1 } = table
  const columns = rows[0]?.length ?? 0
  const characters = tableCharactersOf(table)
  return [
    ...textProblems(caption, `${pointer}/caption`, CAPTION_CHARACTERS),
    ...countProblems(rows.length, `${pointer}/rows`, 2, TABLE_ROWS + 1),
    ...countProblems(columns, `${pointer}/rows/0`, 1, TABLE_COLUMNS),
    ...unless(
      characters <= TABLE_CHARACTERS,
      pointer,
      `Must have at most ${TABLE_CHARACTERS} characters, not ${characters}.`,
    ),
    ...countProblems(pageRows, `${pointer}/page_size`, 1, TABLE_PAGE_ROWS),
    ...(rows.every((row) => row.length === columns && row.every(isSound)) ? [] : rowProblems(rows, columns, pointer)),
  ]
}

function isSound(cell: TableCell): boolean {
  if (cell.type === 'raw_number' && !Number.isFinite(cell.value)) return false
  return cell.text.length <= TABLE_CHARACTERS && NOT_BLANK.test(cell.text)
}

const NOT_BLANK = /\S/

function rowProblems(rows: DataTableBlock['rows'], columns: number, pointer: string): readonly Problem[] {
  return rows.flatMap((row, index) => [
    ...unless(row.length === columns, `${pointer}/rows/${index}`, 'Must have as many cells as the header.'),
    ...row.flatMap((cell, column) => [
      ...textProblems(cell.text, `${pointer}/rows/${index}/${column}/text`, TABLE_CHARACTERS),
      ...unless(
        cell.type !== 'raw_number' || Number.isFinite(cell.value),
        `${pointer}/rows/${index}/${column}/value`,
        'Must be a finite number.',
      ),
    ]),
  ])
}

/** What Slack would refuse of a chart. */
export function chartProblems({ title, chart }: DataVisualizationBlock, pointer: string): readonly Problem[] {
  const { categories, x_label: xLabel, y_label: yLabel } = chart.axis_config
  const axis = `${pointer}/chart/axis_config`
  const names = chart.series.map(({ name }) => name)
  const labelsAreSound = categories.every((label) => label.length <= CHART_LABEL_CHARACTERS && NOT_BLANK.test(label))
  return [
    ...textProblems(title, `${pointer}/title`, CHART_TITLE_CHARACTERS),
    ...countProblems(categories.length, `${axis}/categories`, 1, CHART_POINTS),
    ...(labelsAreSound
      ? []
      : categories.flatMap((label, index) =>
          textProblems(label, `${axis}/categories/${index}`, CHART_LABEL_CHARACTERS),
        )),
    ...unless(repeated(categories).size === 0, `${axis}/categories`, 'Must not hold a label twice.'),
    ...optionalTextProblems(xLabel, `${axis}/x_label`, AXIS_LABEL_CHARACTERS),
    ...optionalTextProblems(yLabel, `${axis}/y_label`, AXIS_LABEL_CHARACTERS),
    ...countProblems(names.length, `${pointer}/chart/series`, 1, CHART_SERIES),
    ...unless(repeated(names).size === 0, `${pointer}/chart/series`, 'Must not hold a name twice.'),
    ...chart.series.flatMap(({ name, data }, index) => [
      ...textProblems(name, `${pointer}/chart/series/${index}/name`, CHART_LABEL_CHARACTERS),
      ...unless(
        data.length === categories.length && data.every(({ label }, place) => label === categories[place]),
        `${pointer}/chart/series/${index}/data`,
        'Must have exactly one point for each category, in their order.',
      ),
      ...unless(
        data.every(({ value }) => Number.isFinite(value)),
        `${pointer}/chart/series/${index}/data`,
        'Must hold finite numbers only.',
      ),
    ]),
  ]
}
