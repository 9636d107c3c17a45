import { CallError, FIELDS_MAX } from '../http-errors.ts';
import { HTTP_TEXTS } from '../http-texts.ts';

/** The contract nests at most 3 levels; its largest body, a ticket of 1,000 lines, has 6,000 values. */
const JSON_LIMITS = { depth: 20, values: 10_000 } as const;

const NUMBER_TEXT_MAX = 40;

const [QUOTE, BACKSLASH, MINUS, DOT] = [0x22, 0x5c, 0x2d, 0x2e] as const;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Placeholder for a refused value until its path is known. */
class Refused {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const NOT_PLAIN = new Refused(HTTP_TEXTS.plainNumber);
const HAS_NUL = new Refused(HTTP_TEXTS.noNul);
const HAS_HALF = new Refused(HTTP_TEXTS.brokenCharacter);

/**
 * Refuses numbers that a double would change, such as 9007199254740993, and forms like 1e3. Also refuses NUL and lone
 * surrogates, which PostgreSQL cannot store, except in field `matches`. Checks {@link JSON_LIMITS} before building
 * anything.
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
    throw new CallError('INVALID_JSON', { message: HTTP_TEXTS.notJson((error as Error).message) });
  }
  throw refusalOf(refused);
}

/** Returns true if nothing needs a closer look, the common case. */
function survey(text: string): boolean {
  let depth = 0;
  let values = 1;
  // JSON can express NUL and lone surrogates only by escapes.
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
    if (depth > JSON_LIMITS.depth) throw tooMuch(HTTP_TEXTS.tooDeep(JSON_LIMITS.depth));
    if (values > JSON_LIMITS.values) throw tooMuch(HTTP_TEXTS.tooManyValues(JSON_LIMITS.values));
  }
  return isHarmless;
}

/** Short plain decimals survive a double unchanged. */
function isPlainText(number: string): boolean {
  return number.length < 16 && /^-?(?:[1-9]\d*|0(?=[.]|$))(?:\.\d+)?$/.test(number) && !number.startsWith('-0');
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code) && code !== DOT && code !== 0x65 && code !== 0x45 && code !== 0x2b && code !== MINUS) break;
  }
  return at;
}

function tooMuch(reason: string): CallError {
  return new CallError('INVALID_INPUT', { fields: { body: reason } });
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at++;
  }
  return at;
}

/** For input from other parsers. */
export function requireStorable(input: unknown): void {
  const refused: [path: string[], message: string][] = [];
  const visit = (value: unknown, path: string[]): void => {
    if (refused.length >= FIELDS_MAX) return;
    if (typeof value === 'string') {
      const refusal = textRefusal(value);
      if (refusal) refused.push([path, refusal.message]);
    } else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) visit((value as Record<string, unknown>)[name], [...path, name]);
    }
  };
  visit(input, []);
  if (refused.length > 0) throw refusalOf(refused);
}

function refusalOf(refused: readonly [path: string[], message: string][]): CallError {
  const fields = refused.map(([path, message]) => [path.join('.') || 'body', message]);
  return new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
}

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

/** Exact apart from trailing decimal zeros: 12.50 equals 12.5. */
function isPlain(value: number, source: string): boolean {
  if (source.length > NUMBER_TEXT_MAX) return false;
  const isDecimal = source.includes('.') && !/e/i.test(source);
  return String(value) === (isDecimal ? source.replace(/\.?0+$/, '') : source);
}
