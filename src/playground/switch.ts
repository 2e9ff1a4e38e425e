export interface Switch {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly kind: 'toggle' | 'button'
  /** Only toggles stand one way or the other. */
  readonly isOn: (() => boolean) | undefined
  /** Called with the same value twice, a toggle does nothing the second time. */
  readonly turn: (on: boolean) => void
}

type Words = Pick<Switch, 'id' | 'label' | 'hint'>

/** A switch whose state lies in what it acts on. Turning it where it stands already does nothing. */
export function toggle({
  isOn,
  turn,
  ...words
}: Words & { readonly isOn: () => boolean; readonly turn: (on: boolean) => void }): Switch {
  return {
    ...words,
    kind: 'toggle',
    isOn,
    turn(on) {
      if (isOn() !== on) turn(on)
    },
  }
}

/** A switch that starts something and keeps what ends it. */
export function lasting({ start, ...words }: Words & { readonly start: () => () => void }): Switch {
  let end: (() => void) | undefined
  return toggle({
    ...words,
    isOn: () => end !== undefined,
    turn(on) {
      end?.()
      end = on ? start() : undefined
    },
  })
}

export function button({ press, ...words }: Words & { readonly press: () => void }): Switch {
  return { ...words, kind: 'button', isOn: undefined, turn: () => press() }
}
