import { CallError, FIELDS_MAX } from './http-errors.ts';

/** No call of the contract nests deeper than 3, and the largest, a ticket of 1,000 lines, has 6,000 values. */
const JSON_LIMITS = { depth: 20, values: 10_000 } as const;

/** No number that means something here is longer; longer ones are refused unread. */
const NUMBER_TEXT_MAX = 40;

const [QUOTE, BACKSLASH, MINUS, DOT] = [0x22, 0x5c, 0x2d, 0x2e] as const;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

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
 * surrogates, which PostgreSQL can't hold, but in a field that only `matches` names, and bodies beyond {@link JSON_LIMITS}, before anything is
 * built. Throws a CallError.
 */
export function parseJsonBody(text: string, matches?: string): unknown {
  const isHarmless = survey(text);
  const refused: [path: string[], message: string][] = [];
  try {
    if (isHarmless) return JSON.parse(text);
    const body: unknown = JSON.parse(text, checkBut(matches));
    collectRefused(body, [], refused);
    if (refused.length === 0) return body;
  } catch (error) {
    throw new CallError('INVALID_JSON', { message: `The body is not valid JSON: ${(error as Error).message}` });
  }
  throw refusalOf(refused);
}

/**
 * Looks through a text before anything is built of it. Throws where it has too many brackets and commas outside strings. Gives whether
 * it holds nothing that could have to be refused: most bodies are parsed without a closer look.
 */
function survey(text: string): boolean {
  let depth = 0;
  let values = 1;
  // Only by its number, after a backslash, can a NUL character or half of another one be written.
  const hasEscapes = text.includes('\\');
  let isHarmless = !hasEscapes;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = hasEscapes ? endOfString(text, at) : text.indexOf('"', at + 1);
      if (at === -1) break;
    } else if (code === 0x2c) {
      values++; // ,
    } else if (code === 0x5b || code === 0x7b) {
      values++; // [ {
      depth++;
    } else if (code === 0x5d || code === 0x7d) {
      depth--; // ] }
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      if (isHarmless && !isPlainText(text.slice(at, end))) isHarmless = false;
      at = end - 1;
    }
    if (depth > JSON_LIMITS.depth) throw tooMuch(`Nest at most ${JSON_LIMITS.depth} lists and objects`);
    if (values > JSON_LIMITS.values) throw tooMuch(`Send at most ${JSON_LIMITS.values} values`);
  }
  return isHarmless;
}

/** Whether a number is so short and so written that it reads as it stands. */
function isPlainText(number: string): boolean {
  return number.length < 16 && /^-?(?:[1-9]\d*|0(?=[.]|$))(?:\.\d+)?$/.test(number) && !number.startsWith('-0');
}

/** Where a number that begins at `start` ends. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Digits and dots; e, E, + and - of an exponent.
    if (!isDigit(code) && code !== DOT && code !== 0x65 && code !== 0x45 && code !== 0x2b && code !== MINUS) break;
  }
  return at;
}

function tooMuch(reason: string): CallError {
  return new CallError('INVALID_INPUT', { fields: { body: reason } });
}

/** Where a string that begins at `start` ends; past the text where it does not. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at++; // A backslash takes the next character with it.
  }
  return at;
}

/**
 * Throws INVALID_INPUT, as for a body, where a text is one that PostgreSQL can't hold. It is for input that has another parser and was
 * checked by its schema, so that it is as flat as that.
 */
export function requireStorable(input: unknown): void {
  const refused: [path: string[], message: string][] = [];
  const look = (value: unknown, path: string[]): void => {
    if (refused.length >= FIELDS_MAX) return;
    if (typeof value === 'string') {
      const refusal = textRefusal(value);
      if (refusal) refused.push([path, refusal.message]);
    } else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) look((value as Record<string, unknown>)[name], [...path, name]);
    }
  };
  look(input, []);
  if (refused.length > 0) throw refusalOf(refused);
}

function refusalOf(refused: readonly [path: string[], message: string][]): CallError {
  const fields = refused.map(([path, message]) => [path.join('.') || 'body', message]);
  return new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
}

/** Why a text can't be stored; undefined where it can. */
function textRefusal(text: string): Refused | undefined {
  if (text.includes('\0')) return HAS_NUL;
  return text.isWellFormed() ? undefined : HAS_HALF;
}

function checkBut(matches: string | undefined) {
  return (key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'number' && context?.source !== undefined && !isPlain(value, context.source)) return NOT_PLAIN;
    return (typeof value === 'string' && key !== matches && textRefusal(value)) || value;
  };
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
