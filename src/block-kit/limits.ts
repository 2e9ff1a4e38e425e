/**
 * Every limit Slack puts on messages and views, in one place because they change. All were read on 2026-09-14 in
 * https://docs.slack.dev/reference/block-kit (blocks, block-elements, composition-objects) and
 * https://docs.slack.dev/reference/views unless a comment says otherwise. Lengths are UTF-16 units, the strictest count.
 */

export const MESSAGE_BLOCKS = 50
export const VIEW_BLOCKS = 100
/** A whole view as JSON, in bytes; above it Slack answers `view_too_large`. */
export const VIEW_BYTES = 250_000
/** Text of all blocks of one message. Undocumented: `msg_blocks_too_long` was seen from 11,341 on, so this is our own. */
export const MESSAGE_CHARACTERS = 10_000
/** `text` of a message: `chat.postEphemeral` takes 4,000 bytes, `chat.update` 4,000 characters; bytes satisfy both. */
export const TWIN_BYTES = 4_000

/** `title`, `submit` and `close` of a modal. */
export const VIEW_TITLE_CHARACTERS = 24
export const PRIVATE_METADATA_CHARACTERS = 3_000
/** `block_id`, `action_id`, `callback_id` and `external_id`. */
export const ID_CHARACTERS = 255

export const TEXT_CHARACTERS = 3_000
export const SECTION_FIELDS = 10
export const HEADER_CHARACTERS = 150
export const CONTEXT_ELEMENTS = 10
export const ACTIONS_ELEMENTS = 25
export const LABEL_CHARACTERS = 2_000

export const BUTTON_CHARACTERS = 75
export const BUTTON_VALUE_CHARACTERS = 2_000
export const ACCESSIBILITY_LABEL_CHARACTERS = 75
export const CONFIRM_TITLE_CHARACTERS = 100
export const CONFIRM_TEXT_CHARACTERS = 300
export const CONFIRM_BUTTON_CHARACTERS = 30

export const PLACEHOLDER_CHARACTERS = 150
/** `max_length` of a text input. Left out, Slack lets people type more (slackapi/node-slack-sdk #940), so it is always set. */
export const INPUT_CHARACTERS = 3_000
export const SELECT_OPTIONS = 100
export const CHECK_OPTIONS = 10
export const OVERFLOW_OPTIONS = 5
export const OPTION_CHARACTERS = 75
export const OPTION_VALUE_CHARACTERS = 150

/** Slack's page says 200 rows and 20,000 characters; half of both, until that is seen in a workspace. */
export const TABLE_ROWS = 100
export const TABLE_COLUMNS = 20
/** Characters of all cells of one data table, and of all data tables of one message. */
export const TABLE_CHARACTERS = 10_000
export const TABLE_PAGE_ROWS = 100
/** Caption of a data table. Undocumented; kept as short as a header. */
export const CAPTION_CHARACTERS = 150

export const MESSAGE_CHARTS = 2
export const CHART_TITLE_CHARACTERS = 50
export const CHART_SERIES = 12
export const CHART_POINTS = 20
export const CHART_LABEL_CHARACTERS = 20
export const AXIS_LABEL_CHARACTERS = 50
