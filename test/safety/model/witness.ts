import { shortId } from '../../../src/shared/short-id.ts'
import { STATE_WORDS } from '../../../src/operations/changes/change-states.ts'
import { type ChangeState, isFinal } from '../../../src/store/schema/change.ts'
import { OUTBOX_RETENTION_MS } from '../../../src/store/outbox/outbox.ts'
import { HIDDEN, markupOf } from '../../block-kit/foreign-text.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { type ChangeRow, changeRow, changeRows, entriesOf } from './looking.ts'
import { meets, needed } from './policies.ts'
import { secretInStore } from './secrets.ts'
import type { World } from './world.ts'

const MAX_AUDIT_PAGES = 10
/** What none of our messages may hold unescaped: everything that foreign text of these tests begins with. */
const FOREIGN_CONTROL = /<(?:!channel|@UEVIL|https:\/\/evil)/u
const PERSON = /^U/
/** What a notice to the operations channel says that is not the message about the change. */
const POINTS_TO_CARD = 'its message stands where it was asked.'
const OPEN_AFTER_CREATION: ReadonlySet<ChangeState> = new Set(['sending', 'unknown', 'done'])

/** Sees everything from outside and remembers it, and says what should never have happened. */
export class Witness {
  readonly #world: World
  readonly #accepted = new Set<string>()
  readonly #reviewedUnder = new Map<string, string>()
  readonly #clicks = new Map<string, Set<string>>()
  readonly #deadlines = new Map<string, number>()
  readonly #ended = new Map<string, string>()
  readonly #brokenGlass = new Map<string, readonly string[]>()
  readonly #began: number
  #messages = 0
  readonly #violations: string[] = []

  constructor(world: World) {
    this.#world = world
    this.#began = world.clock.now().getTime()
  }

  get violations(): readonly string[] {
    return this.#violations
  }

  /** Somebody was told that their change goes on. */
  accepted(id: string): void {
    this.#accepted.add(id)
  }

  /** Somebody went without the approval it takes, while these were admins. */
  brokeGlass(id: string, admins: readonly string[]): void {
    if (entriesOf(this.#world, id).includes('break_glass'))
      this.#brokenGlass.set(
        id,
        admins.filter((admin) => admin !== changeRow(this.#world, id)?.requestedBy),
      )
  }

  reviewed(id: string): void {
    this.#reviewedUnder.set(id, this.#world.policy.version)
  }

  /** Somebody pressed the button that approves. */
  clickedApprove(id: string, person: string): void {
    this.#clicks.set(id, (this.#clicks.get(id) ?? new Set()).add(person))
  }

  /** A call of the platform has left: was everything in order for it? */
  atCall(id: string): void {
    const row = changeRow(this.#world, id)
    if (row === undefined) return this.#report('I7', id, 'was sent and is not in the store')
    const entries = entriesOf(this.#world, id)
    this.#hold(row.state === 'sending' && entries.includes('sending'), 'I2', id, 'was sent without an entry before')
    const calls = this.#world.platform.calls.filter(({ changeId }) => changeId === id)
    this.#hold(calls.length === 1, 'I1', id, `was sent ${calls.length} times`)
    const deadline = this.#deadlines.get(id) ?? row.expiresAt
    this.#hold((row.sentAt ?? deadline) < deadline, 'I5', id, 'was sent after its time')
    const { version } = this.#world.policy
    this.#hold(this.#reviewedUnder.get(id) === version, 'I5', id, 'was sent under other rules than reviewed')
    this.#hold(this.#mayBeSent(row), 'I5', id, 'was sent without all that it takes')
  }

  /** After every step. */
  look(): void {
    for (const row of changeRows(this.#world)) this.#lookAt(row)
    for (const id of this.#accepted)
      this.#hold(changeRow(this.#world, id)?.requestedAt !== undefined, 'I7', id, 'was accepted and is gone')
    this.#lookAtRecord()
    this.#lookAtMessages()
    const sink = secretInStore(this.#world)
    this.#hold(sink === undefined, 'I9', 'a secret value', `is in ${sink}`)
  }

  /** Somebody did something, and heard nothing though nothing that it needs keeps anybody waiting. */
  unanswered(): void {
    this.#report('I11', 'somebody', 'was not answered')
  }

  /** Once all faults have ended and some time has passed. */
  atRest(): void {
    const world = this.#world
    for (const row of changeRows(world)) {
      const { id, state } = row
      this.#hold(state !== 'approved', 'I12', id, 'was approved, and nobody sends it')
      this.#hold(state !== 'sending' || row.leaseHolder === world.holder, 'I12', id, 'is being sent by nobody')
      if (row.requestedAt !== undefined) this.#lookAtCard(row)
    }
  }

  /** When even what waits for others has had its time. */
  atLast(): void {
    const { memory } = this.#world
    for (const { id, state } of changeRows(this.#world)) this.#hold(state !== 'waiting', 'I12', id, 'still waits')
    const [outbox] = memory.sql('select count(*) as left from outbox')
    this.#hold(outbox?.['left'] === 0, 'I12', 'the outbox', `still has ${String(outbox?.['left'])}`)
    if (this.#world.clock.now().getTime() - this.#began > OUTBOX_RETENTION_MS) return
    for (const [id, admins] of this.#brokenGlass)
      for (const admin of admins) {
        const told = this.#world.board.in(admin).some((text) => text.includes(shortId(id)))
        this.#hold(told, 'I6', id, `went without approval, and ${admin} was not told`)
      }
  }

  /** The record, entry by entry. */
  async verify(): Promise<void> {
    const { clock, memory } = this.#world
    const verifying = memory.store.audit.verify()
    // Between pages it lets others have their turn.
    for (let page = 0; page < MAX_AUDIT_PAGES; page += 1) {
      await turnOfTheLoop()
      clock.turn(0)
    }
    const { ok } = await verifying
    this.#hold(ok, 'I8', 'the record', 'does not verify')
  }

  #lookAt(row: ChangeRow): void {
    const { id, state, endedBy } = row
    const calls = this.#world.platform.calls.filter(({ changeId }) => changeId === id)
    const creations = calls.filter(({ created }) => created).length
    const byPerson = PERSON.test(endedBy ?? '')
    this.#hold(creations <= 1, 'I1', id, `was created ${creations} times`)
    this.#hold(state !== 'done' || creations === 1 || byPerson, 'I3', id, 'is done, and was never created')
    const follows = creations === 0 || byPerson || OPEN_AFTER_CREATION.has(state)
    this.#hold(follows, 'I4', id, `was created, and is ${state}`)
    const before = this.#ended.get(id)
    this.#hold(before === undefined || before === state, 'final', id, `was ${before}, and is ${state} now`)
    if (isFinal(state)) this.#ended.set(id, state)
    if (state === 'draft') this.#deadlines.delete(id)
    else if (!this.#deadlines.has(id)) this.#deadlines.set(id, row.expiresAt)
  }

  #mayBeSent(row: ChangeRow): boolean {
    const { town, policy } = this.#world
    const requester = town.now(row.requestedBy)
    if (requester.role !== 'operator' && requester.role !== 'admin') return false
    const takes = needed(policy, requester.role, row.billed)
    if (takes.length === 0) return true
    const broke = entriesOf(this.#world, row.id).includes('break_glass')
    if (broke && requester.groups.some((group) => policy.breakGlassGroups.includes(group))) return true
    const clicks = this.#clicks.get(row.id)
    const roles = row.approvals
      .filter(({ person, hash }) => person !== row.requestedBy && hash === row.hash && clicks?.has(person) === true)
      .map(({ person }) => town.now(person).role)
    return meets(roles, takes)
  }

  /** The record has no gap and ends where its head says. */
  #lookAtRecord(): void {
    const [record] = this.#world.memory.sql(
      'select count(*) as entries, coalesce(max(seq), 0) as last, (select seq from audit_head) as head from audit_entries',
    )
    const sound = record?.['entries'] === record?.['last'] && record?.['last'] === record?.['head']
    this.#hold(sound, 'I8', 'the record', `has a gap: ${JSON.stringify(record)}`)
  }

  #lookAtMessages(): void {
    const { posted } = this.#world.board
    const sums = posted.reduce((sum, { texts }) => sum + texts.length, 0)
    if (sums === this.#messages) return
    this.#messages = sums
    for (const { texts, message } of posted) {
      const shown = [...texts, ...markupOf(message)]
      this.#hold(!JSON.stringify([texts, message]).includes('hush'), 'I9', 'a message', 'shows a secret value')
      const control = shown.find((text) => FOREIGN_CONTROL.test(text) || HIDDEN.test(text))
      this.#hold(control === undefined, 'I10', 'a message', `says ${control}`)
    }
  }

  /** What people see of a change is what is true of it. */
  #lookAtCard(row: ChangeRow): void {
    const { id, state, messageChannel, messageTs } = row
    const rule = state === 'unknown' ? 'I6' : 'I12'
    const { posted } = this.#world.board
    const card = posted.find(({ channel, ts }) => channel === messageChannel && ts === messageTs)
    this.#hold(row.shownRevision >= row.revision && card !== undefined, rule, id, `is ${state}, and was not told`)
    const text = card?.texts.at(-1) ?? ''
    const words = [STATE_WORDS[state].headline, ...(KEPT_WORDS[state] ?? [])]
    this.#hold(
      words.some((word) => text.startsWith(word)),
      rule,
      id,
      `is ${state}, and its message says ${text}`,
    )
    if (this.#world.disturbed) return
    const cards = posted.filter(({ channel, texts, message }) => {
      const isNotice = texts[0]?.includes(POINTS_TO_CARD) === true
      return !PERSON.test(channel) && !isNotice && JSON.stringify(message).includes(shortId(id))
    })
    this.#hold(cards.length === 1, 'one message', id, `has ${cards.length} messages`)
  }

  #hold(holds: boolean, rule: string, what: string, otherwise: string): void {
    if (!holds) this.#report(rule, what, otherwise)
  }

  #report(rule: string, what: string, happened: string): void {
    this.#violations.push(`${rule}: ${what} ${happened}`)
  }
}

/** The answer that was kept says how it ended, before anybody looked. */
const KEPT_WORDS: Readonly<Partial<Record<ChangeState, readonly string[]>>> = {
  done: ['It was stored.'],
  not_done: [STATE_WORDS.rejected.headline, STATE_WORDS.not_sent.headline],
}
