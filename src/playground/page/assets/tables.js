/** Tables that sort by a press on a column's header and turn their pages. */
export function startTables() {
  document.addEventListener('click', ({ target }) => {
    const table = target.closest('[data-table]')
    const sorter = target.closest('[data-sort]')
    const turner = target.closest('[data-page]')
    if (sorter !== null) sortBy(table, sorter)
    if (turner !== null) turn(table, Number(turner.dataset.page))
  })
}

/** First ascending, then descending, then as it came. */
function sortBy(table, { dataset, parentElement: header }) {
  const next = { ascending: 'descending', descending: null }
  const before = header.getAttribute('aria-sort')
  const after = before === null ? 'ascending' : next[before]
  for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort')
  if (after !== null) header.setAttribute('aria-sort', after)
  const rows = rowsOf(table).toSorted((left, right) => left.dataset.row - right.dataset.row)
  const cell = (row) => row.cells[dataset.sort]
  const compare =
    dataset.numeric === 'yes'
      ? (left, right) => cell(left).dataset.value - cell(right).dataset.value
      : (left, right) => cell(left).textContent.localeCompare(cell(right).textContent, 'en', { numeric: true })
  if (after !== null) rows.sort((left, right) => (after === 'ascending' ? compare(left, right) : compare(right, left)))
  table.querySelector('tbody').append(...rows)
  show(table, 0)
}

function turn(table, by) {
  const size = Number(table.dataset.pageSize)
  const first = rowsOf(table).findIndex((row) => !row.hidden)
  show(table, Math.max(0, Math.floor(first / size) + by))
}

function show(table, page) {
  const size = Number(table.dataset.pageSize)
  const rows = rowsOf(table)
  const first = page * size
  const end = Math.min(first + size, rows.length)
  for (const [index, row] of rows.entries()) row.hidden = index < first || index >= end
  const range = table.querySelector('[data-range]')
  if (range === null) return
  range.textContent = `${first + 1}–${end} of ${rows.length}`
  table.querySelector('[data-page="-1"]').disabled = first === 0
  table.querySelector('[data-page="1"]').disabled = end === rows.length
}

function rowsOf(table) {
  return [...table.querySelectorAll('tbody tr')]
}
