import { CallError, FIELDS_MAX } from './errors.ts';

/** What a body must hold somewhere for anything in it to be refused: most bodies are parsed without a closer look. */
const SUSPECT = /\d[eE][+-]?\d|\d[\d.]{15}|-0|\\u0000|\\u[dD][89a-fA-F]/;

/** No call of the contract nests deeper than 3, and the largest, a ticket of 1,000 lines, has 6,000 values. */
const JSON_LIMITS = { depth: 20, values: 10_000 } as const;

/** No number that means something here is longer; longer ones are refused unread. */
const NUMBER_TEXT_MAX = 40;

/** Stands in the parsed body for a value that is refused, until it is known where that is. */
class Refused {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const NOT_PLAIN = new Refused('Write the number as plain digits, such as 12.50');
const HAS_NUL = new Refused('The NUL character is not allowed');
const HAS_HALF = new Refused('This text holds half a character');

/**
 * Parses a JSON body without letting a number change on the way: 1e3, 9007199254740993 or 1.0000000000000000001 are
 * refused by field name, since what the program would see is not what was written. So are the NUL character and lone
 * surrogates, which PostgreSQL can't hold, and bodies beyond {@link JSON_LIMITS}, before anything is built. Throws a CallError.
 */
export function parseJsonBody(text: string): unknown {
  requireSmall(text);
  const refused: [path: string[], message: string][] = [];
  try {
    if (!SUSPECT.test(text)) return JSON.parse(text);
    const body: unknown = JSON.parse(text, check);
    collectRefused(body, [], refused);
    if (refused.length === 0) return body;
  } catch (error) {
    throw new CallError('INVALID_JSON', { message: `The body is not valid JSON: ${(error as Error).message}` });
  }
  const fields = refused.map(([path, message]) => [path.join('.') || 'body', message]);
  throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
}

/** Counts brackets and commas outside strings: where they are too many, the text is not parsed at all. */
function requireSmall(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x2c: // ,
        values++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        depth++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
    if (depth > JSON_LIMITS.depth) throw tooMuch(`Nest at most ${JSON_LIMITS.depth} lists and objects`);
    if (values > JSON_LIMITS.values) throw tooMuch(`Send at most ${JSON_LIMITS.values} values`);
  }
}

function tooMuch(reason: string): CallError {
  return new CallError('INVALID_INPUT', { fields: { body: reason } });
}

/** Where a string that begins at `start` ends; past the text where it does not. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) break;
    if (code === 0x5c) at++; // A backslash takes the next character with it.
  }
  return at;
}

function check(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && context?.source !== undefined && !isPlain(value, context.source)) return NOT_PLAIN;
  if (typeof value === 'string' && value.includes('\0')) return HAS_NUL;
  if (typeof value === 'string' && !value.isWellFormed()) return HAS_HALF;
  return value;
}

function collectRefused(value: unknown, path: string[], refused: [path: string[], message: string][]): void {
  if (value instanceof Refused) refused.push([path, value.message]);
  else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value)) {
      if (refused.length >= FIELDS_MAX) return;
      const part = (value as Record<string, unknown>)[key];
      if (typeof part === 'object' && part !== null) collectRefused(part, [...path, key], refused);
    }
}

/** Whether a number reads as it was written, but for zeros that end its decimals: 12.50 is 12.5. */
function isPlain(value: number, source: string): boolean {
  if (source.length > NUMBER_TEXT_MAX) return false;
  const isDecimal = source.includes('.') && !/e/i.test(source);
  return String(value) === (isDecimal ? source.replace(/\.?0+$/, '') : source);
}
