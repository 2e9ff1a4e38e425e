/** Asks the question that belongs to a button, if there is one. Resolves with whether to go on. */
export async function confirmed(element) {
  const template = element.parentElement.querySelector('template[data-confirm]')
  if (template === null) return true
  const dialog = template.content.firstElementChild.cloneNode(true)
  document.body.append(dialog)
  const { promise, resolve } = Promise.withResolvers()
  dialog.addEventListener('click', ({ target }) => target.value && dialog.close(target.value))
  dialog.addEventListener('close', () => resolve(dialog.returnValue === 'confirm'))
  dialog.showModal()
  const isWanted = await promise
  dialog.remove()
  return isWanted
}
