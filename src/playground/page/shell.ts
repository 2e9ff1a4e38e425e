import { flag, html, type Html } from './html.ts'
import type { Regions } from './regions.ts'
import type { Viewpoint } from './viewpoint.ts'

const STYLES = [
  'colours',
  'layout',
  'sidebar',
  'greeting',
  'messages',
  'composer',
  'blocks',
  'tables',
  'charts',
  'forms',
  'comboboxes',
  'modals',
  'panel',
  'records',
]

/** The whole page, as it is loaded: every region is there already, the script keeps them up to date. */
export function shellHtml({ theme, panel, thread }: Viewpoint, regions: Regions): Html {
  const hasThread = thread !== undefined && regions.thread.toString() !== ''
  return html`<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>CDN Ops playground</title><link rel="icon" href="/assets/icon.svg" type="image/svg+xml">${STYLES.map((name) => html`<link rel="stylesheet" href="/assets/${name}.css">`)}<script type="module" src="/assets/page.js"></script></head><body><a class="skip" href="#content">Skip to the conversation</a><div id="app"><nav id="sidebar" aria-label="Workspace">${regions.sidebar}</nav><main id="main"><header id="header">${regions.header}</header><div id="content" tabindex="0" role="region" aria-label="Messages">${regions.content}</div><div id="composer">${regions.composer}</div></main><aside id="thread" aria-label="Thread"${flag('hidden', !hasThread)}>${regions.thread}</aside><aside id="panel" aria-label="Behind the scenes"${flag('hidden', panel === 'none')}>${regions.panel}</aside></div><div id="modal">${regions.modal}</div><div id="toasts" role="region" aria-label="Notices"></div><div id="live" class="unseen" role="status" aria-live="polite"></div><noscript><p class="alert alert-warning">This page needs its script, which comes from this machine.</p></noscript></body></html>`
}
