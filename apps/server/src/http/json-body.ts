import { CallError } from './errors.ts';

/** What a body must hold somewhere for anything in it to be refused: most bodies are parsed without a closer look. */
const SUSPECT = /\d[eE][+-]?\d|\d[\d.]{15}|-0|\\u0000|\\u[dD][89a-fA-F]/;

/** Stands in the parsed body for a value that is refused, until it is known where that is. */
class Refused {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Parses a JSON body without letting a number change on the way: 1e3, 9007199254740993 or 1.0000000000000000001 are
 * refused by field name, since what the program would see is not what was written. So are the NUL character and lone
 * surrogates, which PostgreSQL can't hold. Throws a CallError.
 */
export function parseJsonBody(text: string): unknown {
  let refused: [path: string, message: string][];
  try {
    if (!SUSPECT.test(text)) return JSON.parse(text);
    const body: unknown = JSON.parse(text, check);
    refused = [...refusedIn(body, '')];
    if (refused.length === 0) return body;
  } catch (error) {
    throw new CallError('INVALID_JSON', { message: `The body is not valid JSON: ${(error as Error).message}` });
  }
  throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(refused) });
}

function check(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && context?.source !== undefined && String(value) !== plain(context.source))
    return new Refused('Write the number as plain digits, such as 12.50');
  if (typeof value === 'string' && value.includes('\0')) return new Refused('The NUL character is not allowed');
  if (typeof value === 'string' && !value.isWellFormed()) return new Refused('This text holds half a character');
  return value;
}

function* refusedIn(value: unknown, path: string): Generator<[path: string, message: string]> {
  if (value instanceof Refused) yield [path || 'body', value.message];
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) yield* refusedIn(part, path ? `${path}.${key}` : key);
}

/** The text of a number without the zeros that end its decimals: 12.50 → 12.5. */
function plain(source: string): string {
  return source.includes('.') && !/e/i.test(source) ? source.replace(/\.?0+$/, '') : source;
}
