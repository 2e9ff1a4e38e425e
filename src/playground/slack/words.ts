/** What Slack's client says when something goes wrong, so that a test or a reader recognises it. */

/** Under or above a modal whose submission or action was not acknowledged, or was answered with nonsense. */
export const TROUBLE_CONNECTING = 'We had some trouble connecting. Try again?'
/** Beside an element of a message whose use was not acknowledged: the client shows only a sign. */
export const WARNING_SIGN = '⚠'
/** Under an input that must not be left empty. */
export const REQUIRED = 'Please complete this required field.'
/** In a menu whose options could not be had. */
export const NO_OPTIONS = 'There was a problem loading the options.'

/** After a slash command that reached nobody or was not acknowledged in time. */
export function commandFailed(command: string, error: string): string {
  return `${command} failed with the error "${error}"`
}

/** After a slash command of no installed app. */
export function unknownCommand(command: string): string {
  return `${command} is not a valid command.`
}

/** After a slash command typed in a thread. */
export function notInThreads(command: string): string {
  return `${command} is not supported in threads. Sorry!`
}

/** In an external select before enough was typed. */
export function typeMore(characters: number): string {
  return `Type at least ${characters} characters to see options.`
}
