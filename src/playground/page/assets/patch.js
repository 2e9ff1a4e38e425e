/**
 * Brings a region up to date with fresh markup by changing as little as possible, so that focus, caret, scroll
 * positions, open lists and what is half typed stay as they are.
 */
export function patch(region, markup) {
  const fresh = document.createElement('template')
  fresh.innerHTML = markup
  patchChildren(region, fresh.content)
}

/** Attributes that belong to whoever uses the page: the server never writes them. */
const OWN_ATTRIBUTES = new Set(['open', 'data-dirty'])

function patchChildren(old, fresh) {
  const wanted = new Set([...fresh.children].map(({ id }) => id))
  for (const child of Array.from(old.children)) if (child.id !== '' && !wanted.has(child.id)) child.remove()
  const known = new Map([...old.children].filter(({ id }) => id !== '').map((child) => [child.id, child]))
  let at = old.firstChild
  for (const next of Array.from(fresh.childNodes)) {
    const named = next.id ? known.get(next.id) : undefined
    const match = named ?? (at !== null && isAlike(at, next) ? at : undefined)
    if (match === undefined) {
      old.insertBefore(next, at)
      continue
    }
    if (match === at) at = at.nextSibling
    else old.insertBefore(match, at)
    patchNode(match, next)
  }
  while (at !== null) {
    const gone = at
    at = at.nextSibling
    gone.remove()
  }
}

/** Nodes without an id stand for each other when they are of one kind. */
function isAlike(old, next) {
  return old.nodeType === next.nodeType && old.nodeName === next.nodeName && !old.id && !next.id
}

function patchNode(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== next.data) old.data = next.data
    return
  }
  if (old.nodeName !== next.nodeName) {
    old.replaceWith(next)
    return
  }
  const isUnchanged = next.dataset.rev !== undefined && old.dataset.rev === next.dataset.rev
  if (isUnchanged) return
  patchAttributes(old, next)
  // What stands in the field to write in is nobody's business but the writer's.
  if (old.hasAttribute('data-composer'))
    return patchAttributes(old.querySelector('textarea'), next.querySelector('textarea'))
  if (!old.matches('input, textarea')) patchChildren(old, next)
  if (old.matches('input, select, textarea')) patchField(old, next)
}

function patchAttributes(old, next) {
  for (const { name } of Array.from(old.attributes)) {
    if (!next.hasAttribute(name) && !OWN_ATTRIBUTES.has(name)) old.removeAttribute(name)
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value && !OWN_ATTRIBUTES.has(name)) old.setAttribute(name, value)
  }
}

/** What somebody has typed or ticked and the server does not know yet wins over what the server knows. */
function patchField(old, next) {
  const content = old.type === 'checkbox' || old.type === 'radio' ? 'checked' : 'value'
  if (old[content] === next[content]) delete old.dataset.dirty
  else if (old.dataset.dirty !== 'yes') old[content] = next[content]
}
