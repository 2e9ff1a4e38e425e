/**
 * What Slack's Block Kit allows, as its reference pages stated on 2026-11-20 (docs.slack.dev/reference/block-kit,
 * /reference/views). Lengths are characters, counts are items. The platform changes these often, so they stand here
 * once; a text limit Slack does not publish is marked as observed.
 */
export const LIMITS = {
  message: {
    blocks: 50,
    charts: 2,
    dataTableCharacters: 20_000,
    /** Observed: between 11,341 and 13,297 characters Slack starts to answer `msg_blocks_too_long`. */
    characters: 10_000,
  },
  view: { blocks: 100, bytes: 250_000, title: 24, button: 24, privateMetadata: 3_000, id: 255, stack: 3 },
  id: 255,
  text: 3_000,
  section: { text: 3_000, fields: 10, field: 2_000 },
  header: 150,
  contextElements: 10,
  actionsElements: 25,
  input: { label: 2_000, hint: 2_000 },
  button: { text: 75, value: 2_000, accessibilityLabel: 75 },
  option: { text: 75, description: 75, value: 150 },
  placeholder: 150,
  selectOptions: 100,
  checkOptions: 10,
  confirm: { title: 100, text: 300, button: 30 },
  textInput: 3_000,
  dataTable: { rows: 201, columns: 20, pageSize: 100 },
  chart: { title: 50, series: 12, points: 20, label: 20, axisLabel: 50 },
} as const
