import type { Arguments } from './web-api/method.ts'

/** Arguments that hold a structure; form bodies carry them as JSON written in a string. */
const STRUCTURED = new Set(['blocks', 'view', 'files', 'attachments', 'metadata'])
const JSON_TYPE = /^application\/json\b/i
const MULTIPART_TYPE = /^multipart\/form-data\b/i

/**
 * Reads the arguments of a call from its body, JSON or a form, and from its address. A structured argument that is
 * not valid JSON stays the text it is, so that the method can refuse it. Undefined when the body cannot be read.
 */
export async function callArguments(request: Request): Promise<Arguments | undefined> {
  const inAddress = Object.fromEntries(new URL(request.url).searchParams)
  const type = request.headers.get('content-type') ?? ''
  try {
    const text = await request.text()
    if (JSON_TYPE.test(type)) {
      const body: unknown = text === '' ? {} : JSON.parse(text)
      return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...inAddress, ...body } : undefined
    }
    return unfolded({ ...inAddress, ...Object.fromEntries(new URLSearchParams(text)) })
  } catch {
    return undefined
  }
}

/** The bytes of an upload: the body itself, or the part of a multipart form named `body`, `file` or `filename`. */
export async function uploadedBytes(request: Request): Promise<Buffer | undefined> {
  if (!MULTIPART_TYPE.test(request.headers.get('content-type') ?? '')) {
    return Buffer.from(await request.arrayBuffer())
  }
  try {
    const form = await request.formData()
    const part = form.get('body') ?? form.get('file') ?? form.get('filename')
    if (part === null) return undefined
    return typeof part === 'string' ? Buffer.from(part) : Buffer.from(await part.arrayBuffer())
  } catch {
    return undefined
  }
}

/** The JSON value of a body, or undefined. */
export async function jsonBody(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    return undefined
  }
}

function unfolded(form: Readonly<Record<string, string>>): Arguments {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, STRUCTURED.has(name) ? parsed(value) : value]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
