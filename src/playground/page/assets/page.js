import { act } from './acts.js'
import { minding, startDialogs } from './dialogs.js'
import { afterRedraw, follow, startFollowing } from './follow.js'
import { startForms } from './forms.js'
import { patch } from './patch.js'

const ANNOUNCED_CHARACTERS = 300

let source
let drawn
/** The message that a story leads to, until it is there. */
let led

start()

function start() {
  for (const each of [startForms, startComposer, startDialogs, startFollowing]) each()
  document.addEventListener('click', onClick)
  addEventListener('popstate', connect)
  const isReload = performance.getEntriesByType('navigation')[0]?.type === 'reload'
  if (isReload) void act({ do: 'reload' })
  if (parameters().get('at') === 'home') void act({ do: 'openHome' })
  afterRedraw(new Set(), true)
  document.querySelector('#say')?.focus()
  minding()
  connect()
}

function connect() {
  source?.close()
  source = new EventSource(`/events${location.search}`)
  source.addEventListener('regions', ({ data }) => redraw(JSON.parse(data)))
  source.addEventListener('open', () => document.body.classList.remove('offline'))
  source.addEventListener('error', () => document.body.classList.add('offline'))
}

function redraw(regions) {
  const known = new Set([...document.querySelectorAll('article')].map(({ id }) => id))
  for (const [name, markup] of Object.entries(regions)) patch(document.getElementById(name), markup)
  for (const name of ['thread', 'panel']) if (name in regions) toggle(name, regions[name] !== '')
  const here = `${parameters().get('who')} ${parameters().get('at')}`
  afterRedraw(known, here !== drawn)
  if (here === drawn) {
    const news = [...document.querySelectorAll('#content article')].filter(({ id }) => !known.has(id))
    // Tells screen readers what is new, without moving anything.
    if (news.length > 0) document.querySelector('#live').textContent = news.map(words).join('\n')
  }
  document.title = `${document.querySelector('#header h1').textContent} · CDN Ops playground`
  drawn = here
  minding()
  showLed()
}

/** Whoever opens a thread wants to write into it. */
function toggle(name, isShown) {
  const aside = document.getElementById(name)
  const before = aside.hidden
  aside.hidden = !isShown
  if (name === 'thread' && before === isShown) document.querySelector(isShown ? '#reply' : '#say')?.focus()
}

function onClick(event) {
  const { target } = event
  const link = target.closest('a[data-go]')
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (link !== null && isPlain) {
    event.preventDefault()
    go(link.getAttribute('href'))
  }
  const story = target.closest('[data-story]')
  if (story !== null) void play(story.dataset.story)
  const control = target.closest('[data-control]')
  if (control !== null) {
    void act({ do: 'control', id: control.dataset.control, on: control.dataset.on === 'yes' }, { busy: control })
  }
}

function go(href) {
  const at = parameters().get('at')
  history.pushState(null, '', href)
  connect()
  if (parameters().get('at') === 'home' && at !== 'home') void act({ do: 'openHome' })
}

/** Plays a story from Olga's place, and goes where it leads. */
async function play(key) {
  take('olga')
  const { ok, lead } = await act({ do: 'story', key })
  if (!ok) return
  led = lead.ts
  take(lead.who)
}

function take(who) {
  go(`/?${new URLSearchParams({ who, at: 'ops' })}`)
}

function showLed() {
  const card = document.querySelector(`#content article[data-ts="${led}"]`)
  if (card === null) return
  led = undefined
  const isTall = card.offsetHeight > card.parentElement.clientHeight
  card.scrollIntoView({ block: isTall ? 'start' : 'nearest' })
  card.focus({ preventScroll: true })
}

function words(article) {
  const author = article.querySelector('.message-body strong')?.textContent ?? ''
  const text = article.querySelector('.blocks')?.innerText ?? ''
  return `${author}: ${text.slice(0, ANNOUNCED_CHARACTERS)}`
}

function parameters() {
  return new URLSearchParams(location.search)
}

function startComposer() {
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.target.matches('[data-composer]')) send(event.target)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key, shiftKey, isComposing } = event
    if (key !== 'Enter' || shiftKey || isComposing || !target.matches('[data-composer] textarea')) return
    event.preventDefault()
    send(target.form)
  })
  document.addEventListener('click', ({ target }) => {
    const example = target.closest('[data-example]')
    if (example !== null) write(document.querySelector('#say'), example.dataset.example)
  })
}

function send(form) {
  const field = form.querySelector('textarea')
  const text = field.value.trim()
  if (text === '') return
  write(field, '')
  const { channel, thread } = form.dataset
  follow(thread === undefined ? '#content' : '.thread-body')
  void act({ do: 'say', channel, text, ...(thread === undefined ? {} : { thread }) }, { busy: form })
}

function write(field, text) {
  field.value = text
  field.focus()
}
