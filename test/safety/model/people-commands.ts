import type { Clicked } from '../../../src/execution/changes/approvals.ts'
import { clicked, command, type Command, onChange } from './command.ts'
import { changeRow } from './looking.ts'
import { needed } from './policies.ts'
import { SECRET } from './secrets.ts'
import { TOWN } from './town.ts'
import type { World } from './world.ts'

/** What people type: usual, and made to do harm where it is shown. */
export const TEXTS = ['192.0.2.10', '<!channel> <@UEVIL>', '<https://evil.test|ok> & *b*', '\u202Etxt\u0000'] as const

/** Somebody asks for a write and sees its review. */
export function review(by: number, billed: boolean, text: number): Command {
  const name = `${TOWN[by]} reviews ${billed ? 'something billed' : 'a write'} with text ${text}`
  return command(name, (world) => reviewed(world, TOWN[by]!, billed, TEXTS[text]!), 1)
}

/** The same, and submits it. */
export function ask(by: number, billed: boolean, text: number): Command {
  const work = async (world: World): Promise<void> => {
    const id = await reviewed(world, TOWN[by]!, billed, TEXTS[text]!)
    if (id !== undefined) await world.deliver(() => submitted(world, id))
  }
  return command(`${TOWN[by]} asks for ${billed ? 'something billed' : 'a write'} with text ${text}`, work, 1)
}

/** Undefined where no draft came of it. */
export async function reviewed(world: World, who: string, billed: boolean, value: string): Promise<string | undefined> {
  const values = { zone: 'shop', value, variables: SECRET, ...(billed && { billed: 'yes' }) }
  const place = world.changes.push(undefined) - 1
  const { changes, people, write } = world.process
  await world.does(async () => {
    const actor = await people.actor(who)
    const change = await changes.begin(write, values, actor, 'C1')
    world.changes[place] = change.id
    world.witness.reviewed(change.id)
    await changes.review(change, values, actor)
  })
  return world.changes[place]
}

/** The owner submits the review; with a reason, to go without a second person. */
export function submit(which: number, reason?: string): Command {
  return onChange(`submit${reason === undefined ? '' : ' alone'}`, which, (world, id) =>
    world.deliver(() => submitted(world, id, reason)),
  )
}

/** Twice, as two clicks or two tabs, before either is answered. */
export function submitTwice(which: number): Command {
  return onChange('submit twice', which, (world, id) =>
    world.does(() => Promise.all([submitted(world, id), submitted(world, id)])),
  )
}

/** As the Slack floor does it: on record first, and what follows after. */
export async function submitted(world: World, id: string, reason?: string): Promise<void> {
  const { changes, people, sender, announcer } = world.process
  const owner = changeRow(world, id)?.requestedBy ?? ''
  const submission = await changes.submit(id, await people.actor(owner), reason)
  if (submission.kind === 'answered') return
  world.witness.accepted(id)
  if (reason !== undefined) world.witness.brokeGlass(id, people.admins())
  if (submission.kind === 'confirmed') await sender.send(submission.change)
  else await announcer.announce(id)
}

/** Slack did not hear of the submission in time, so that it is taken back if it can be. */
export function takeBack(which: number): Command {
  return onChange('take back', which, (world, id) => {
    const owner = changeRow(world, id)?.requestedBy ?? ''
    return world.deliver(() => world.process.changes.takeBack(id, owner, 'Slack gave up waiting'))
  })
}

export function approve(which: number, by: number): Command {
  const who = TOWN[by]!
  return onChange(`${who} approves`, which, (world, id) =>
    clicked(world, {
      id,
      by: who,
      actsOn: 'waiting',
      may: (row) => decides(world, row, who),
      work: () => approved(world, id, who),
    }),
  )
}

/** With the last approval it takes, it is sent. */
export async function approved(world: World, id: string, who: string): Promise<Clicked> {
  const { approvals, people, sender } = world.process
  world.witness.clickedApprove(id, who)
  const click = await approvals.approve(id, await people.actor(who))
  if (click.kind === 'taken' && click.ready) await sender.send(click.change)
  return click
}

export function decline(which: number, by: number): Command {
  const who = TOWN[by]!
  return onChange(`${who} declines`, which, (world, id) =>
    clicked(world, {
      id,
      by: who,
      actsOn: 'waiting',
      may: (row) => decides(world, row, who),
      work: async () => {
        const { approvals, people } = world.process
        return approvals.decline(id, await people.actor(who), TEXTS[1])
      },
    }),
  )
}

export function cancel(which: number, by: number): Command {
  const who = TOWN[by]!
  return onChange(`${who} cancels`, which, (world, id) =>
    clicked(world, {
      id,
      by: who,
      actsOn: 'waiting',
      may: ({ requestedBy }) => requestedBy === who,
      work: async () => {
        const { approvals, people } = world.process
        return approvals.cancel(id, await people.actor(who))
      },
    }),
  )
}

export function settle(which: number, by: number, happened: boolean): Command {
  const who = TOWN[by]!
  return onChange(`${who} says it is ${happened ? 'there' : 'not there'}`, which, (world, id) =>
    clicked(world, {
      id,
      by: who,
      actsOn: 'unknown',
      may: () => ['operator', 'admin'].includes(world.town.now(who).role),
      work: async () => {
        const { approvals, people } = world.process
        return approvals.settle(id, await people.actor(who), happened)
      },
    }),
  )
}

/** Slack delivers something once more that it has delivered before. */
export function redeliver(which: number): Command {
  return command(`redeliver #${which}`, async (world) => {
    const delivery = world.deliveries[which % world.deliveries.length]
    if (delivery !== undefined) await world.does(delivery)
  })
}

/** Whether this person's word is asked for, as long as the one who asked may go on. */
function decides(world: World, row: { requestedBy: string; billed: boolean }, who: string): boolean {
  const requester = world.town.now(row.requestedBy)
  const takes = needed(world.policy, requester.role, row.billed)
  return who !== row.requestedBy && takes.some(({ roles }) => roles.includes(world.town.now(who).role))
}
