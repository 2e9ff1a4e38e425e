import type { ShownFile } from '../slack/shown.ts'
import { csvPreview } from './csv-preview.ts'
import { html, type Html } from './html.ts'

const MAX_TEXT_CHARACTERS = 600

/** A shared file: its name and size, a look into it, and a link to have it. `href` leads to its bytes. */
export function filePreviewHtml(file: ShownFile, href: string): Html {
  return html`<figure class="file"><figcaption><span class="file-sign" aria-hidden="true">${extensionOf(file.name)}</span><span><a href="${href}" download="${file.name}">${file.title}</a><small class="quiet">${file.name} · ${sizeOf(file.content)}</small></span></figcaption>${file.name.endsWith('.csv') ? csvHtml(file) : textHtml(file)}</figure>`
}

function csvHtml({ content, name }: ShownFile): Html {
  const { rows, isCut } = csvPreview(content)
  const [header = [], ...body] = rows
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Preview of ${name}"><table><thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${body.map(
    (row) => html`<tr>${row.map((cell) => html`<td><span class="cell">${cell}</span></td>`)}</tr>`,
  )}</tbody></table></div>${isCut ? html`<small class="quiet">The first ${body.length} rows.</small>` : ''}`
}

function textHtml({ content }: ShownFile): Html {
  const beginning = content.slice(0, MAX_TEXT_CHARACTERS)
  return html`<pre class="code" tabindex="0">${beginning}${beginning.length < content.length ? '…' : ''}</pre>`
}

function extensionOf(name: string): string {
  return (/\.(\w{1,4})$/.exec(name)?.[1] ?? 'file').toUpperCase()
}

function sizeOf(content: string): string {
  const bytes = Buffer.byteLength(content)
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`
}
