/** How far from the end one may have scrolled and still be taken along to what is new. */
const NEAR_END_PX = 120
/** An app that takes longer to answer is not waited for. */
const ANSWERED_WITHIN_MS = 20_000
const LISTS = '#content, .thread-body'

/** Lists that somebody has scrolled away from their end. */
const left = new WeakSet()
let expectingUntil = 0

/** Keeps the end of a conversation in sight until somebody scrolls away from it. */
export function startFollowing() {
  document.addEventListener('scroll', ({ target }) => target.matches?.(LISTS) && noteScroll(target), true)
  addEventListener('resize', () => afterRedraw(new Set(), false))
}

/** Somebody did something here: what comes of it is wanted in sight. */
export function expectAnswer() {
  expectingUntil = performance.now() + ANSWERED_WITHIN_MS
}

/** Somebody wrote into a list: it is shown to its end, and so is the answer. */
export function follow(selector) {
  const list = document.querySelector(selector)
  if (list !== null) toEnd(list)
  expectAnswer()
}

/** After every redraw: `known` are the ids of the messages before it, `isElsewhere` says that others are shown now. */
export function afterRedraw(known, isElsewhere) {
  for (const list of document.querySelectorAll(LISTS)) {
    const news = [...list.querySelectorAll('article')].filter(({ id }) => !known.has(id))
    const isAnswer =
      performance.now() < expectingUntil && news.some((article) => article.matches('.ephemeral, .by-app'))
    if (isElsewhere || isAnswer || !left.has(list)) toEnd(list)
  }
}

function noteScroll(list) {
  const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX
  if (isNear) left.delete(list)
  else left.add(list)
}

function toEnd(list) {
  left.delete(list)
  const isRead = list.querySelector('.home') !== null || list.querySelector('article') === null
  list.scrollTop = isRead ? 0 : list.scrollHeight
}
