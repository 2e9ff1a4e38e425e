import type { Parts } from './parts.ts'
import { shownFile, type ShownFile } from './shown.ts'

/** Files shared where this person can see them, oldest first. */
export function filesSeenBy(userId: string, { messages, workspace, files }: Parts): readonly ShownFile[] {
  return messages.all
    .filter((message) => workspace.findChannel(message.channel)?.members.has(userId) === true)
    .flatMap((message) =>
      message.files.flatMap((id) => {
        const file = files.find(id)
        return file === undefined ? [] : [shownFile(file, message.channel)]
      }),
    )
}
