import { html, type Html } from './html.ts'
import { hrefOf, type Viewpoint } from './viewpoint.ts'

const TABS = { platform: 'Platform', people: 'People', requests: 'Requests', audit: 'Audit log' } as const

/** What happens behind the scenes: tabs, and the content of the one that is open. Nothing when the panel is closed. */
export function panelHtml(viewpoint: Viewpoint, content: Html): Html {
  if (viewpoint.panel === 'none') return html``
  return html`<div class="panel-head"><h2>Behind the scenes</h2><a class="close" href="${hrefOf(viewpoint, { panel: 'none' })}" data-go aria-label="Close the side panel">×</a></div><nav class="tabs" aria-label="Side panel">${Object.entries(
    TABS,
  ).map(
    ([panel, words]) =>
      html`<a href="${hrefOf(viewpoint, { panel })}" data-go${panel === viewpoint.panel ? html` aria-current="page"` : ''}>${words}</a>`,
  )}</nav><div class="panel-body" id="panel-${viewpoint.panel}">${content}</div>`
}
