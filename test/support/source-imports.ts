import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** Relative to the folder it was read from, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The text without its comments, in which a word is a use of it. */
  readonly code: string
  /** Files of the same folder that it imports, types included, relative to that folder. */
  readonly imports: readonly string[]
  /** Packages and Node modules it imports: `zod`, `@slack/bolt`, `node:fs`. */
  readonly packages: readonly string[]
}

/** Every TypeScript file under a folder with what it imports. */
export function sourceFiles(root: string): readonly SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const named = importedNames(text)
      return {
        path,
        text,
        code: withoutComments(text),
        imports: named.filter((name) => name.startsWith('.')).map((name) => normalize(join(dirname(path), name))),
        packages: named.filter((name) => !name.startsWith('.')).map(packageOf),
      }
    })
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g

/** What a file names in `import`, `import type`, `export … from`, `import '…'` and `import('…')`, in that order. */
export function importedNames(text: string): readonly string[] {
  return [...withoutComments(text).matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** A line that is only a comment, a block of them, or a remark after the code of a line; no text in quotes is touched. */
const COMMENT = /'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm

/** Regular expressions with quotes in them may hide a comment behind them: a false alarm then, never a silence. */
function withoutComments(text: string): string {
  return text.replaceAll(COMMENT, (found) => (found.startsWith('/') ? '' : found))
}

function packageOf(name: string): string {
  const parts = name.split('/')
  return name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? name)
}
