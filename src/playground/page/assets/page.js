import { act } from './acts.js'
import { startComboboxes } from './comboboxes.js'
import { startComposer } from './composer.js'
import { startForms } from './forms.js'
import { startMenus } from './menus.js'
import { minding, startModals } from './modals.js'
import { patch } from './patch.js'
import { startTables } from './tables.js'
import { announce } from './toasts.js'

/** How far from the end one may have scrolled and still be taken along to what is new. */
const NEAR_END_PX = 120
const ANNOUNCED_CHARACTERS = 300
/** With less, the side panel would lie over the messages, so it waits to be asked for. */
const ROOM_FOR_PANEL_PX = 1180

let source
let isFresh = true

start()

function start() {
  startMenus()
  startTables()
  startForms()
  startComboboxes()
  startComposer()
  startModals()
  document.addEventListener('click', onClick)
  addEventListener('popstate', connect)
  const isReload = performance.getEntriesByType('navigation')[0]?.type === 'reload'
  if (isReload) void act({ do: 'reload' })
  if (parameters().get('at') === 'home') void act({ do: 'openHome' })
  toEnd()
  document.querySelector('#say')?.focus()
  if (!parameters().has('panel') && innerWidth < ROOM_FOR_PANEL_PX) withParameter('panel', 'none')
  connect()
}

/** Follows what the person of the address sees from now on. */
function connect() {
  source?.close()
  isFresh = true
  source = new EventSource(`/events${location.search}`)
  source.addEventListener('regions', ({ data }) => redraw(JSON.parse(data)))
  source.addEventListener('open', () => document.body.classList.remove('offline'))
  source.addEventListener('error', () => document.body.classList.add('offline'))
}

function redraw(regions) {
  const content = document.querySelector('#content')
  const atEnd = content.scrollHeight - content.scrollTop - content.clientHeight < NEAR_END_PX
  const known = new Set([...content.querySelectorAll('article')].map(({ id }) => id))
  for (const [name, markup] of Object.entries(regions)) patch(document.getElementById(name), markup)
  for (const name of ['thread', 'panel']) {
    if (name in regions) document.getElementById(name).hidden = regions[name] === ''
  }
  const news = [...content.querySelectorAll('article')].filter(({ id }) => !known.has(id))
  if (isFresh || (atEnd && 'content' in regions)) toEnd()
  if (!isFresh && news.length > 0) announce(news.map(words).join('\n'))
  if (isFresh) document.title = `${document.querySelector('#header h1').textContent} · CDN Ops playground`
  isFresh = false
  minding()
}

function onClick(event) {
  const { target } = event
  const link = target.closest('a[data-go]')
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (link !== null && isPlain) {
    event.preventDefault()
    go(link.getAttribute('href'))
  }
  const typing = target.closest('[data-type]')
  if (typing !== null) void type(typing)
  const control = target.closest('[data-control]')
  if (control !== null) {
    void act({ do: 'control', id: control.dataset.control, on: control.dataset.on === 'yes' }, { busy: control })
  }
  if (target.closest('[data-nav]') !== null) document.body.classList.toggle('nav-open')
  if (target.closest('[data-theme-switch]') !== null) switchTheme()
}

function go(href) {
  const at = parameters().get('at')
  history.pushState(null, '', href)
  document.body.classList.remove('nav-open')
  connect()
  if (parameters().get('at') === 'home' && at !== 'home') void act({ do: 'openHome' })
}

/** Types a command for somebody, taking their place first. */
async function type(button) {
  const { type: text, try: as } = button.dataset
  const { channel } = document.querySelector('[data-composer]').dataset
  if (as !== undefined && as !== (parameters().get('who') ?? 'olga')) {
    const next = parameters()
    next.set('who', as)
    go(`/?${next}`)
  }
  await act({ do: 'say', channel, text }, { busy: button })
  toEnd()
}

function switchTheme() {
  const { dataset } = document.documentElement
  const isDark =
    dataset.theme === 'dark' || (dataset.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  dataset.theme = isDark ? 'light' : 'dark'
  withParameter('theme', dataset.theme)
  connect()
}

/** Another word in the address, without a step in the history. */
function withParameter(name, value) {
  const next = parameters()
  next.set(name, value)
  history.replaceState(null, '', `/?${next}`)
}

function toEnd() {
  const content = document.querySelector('#content')
  const isTalk = content.querySelector('.home, .home-empty') === null
  content.scrollTop = isTalk ? content.scrollHeight : 0
}

function words(article) {
  const author = article.querySelector('.message-head strong, .unseen')?.textContent ?? ''
  const text = article.querySelector('.blocks')?.innerText ?? ''
  return `${author}: ${text.slice(0, ANNOUNCED_CHARACTERS)}`
}

function parameters() {
  return new URLSearchParams(location.search)
}
