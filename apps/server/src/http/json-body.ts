import { CallError } from './errors.ts';

const SUSPECT = /\d[eE][+-]?\d|\d{16,}|-0|\\u0000/;

/**
 * Parses a JSON body without letting a number change on the way: 1e3, 9007199254740993 or 1.0000000000000000001 are
 * refused by field name, since what the program would see is not what was written. So is the NUL character, which PostgreSQL
 * can't hold. Throws a CallError.
 */
export function parseJsonBody(text: string): unknown {
  const fields: Record<string, string> = {};
  let body: unknown;
  try {
    body = SUSPECT.test(text) ? JSON.parse(text, checking(fields)) : JSON.parse(text);
  } catch (error) {
    throw new CallError('INVALID_JSON', { message: `The body is not valid JSON: ${(error as Error).message}` });
  }
  if (Object.keys(fields).length > 0) throw new CallError('INVALID_INPUT', { fields });
  return body;
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

function checking(fields: Record<string, string>): Reviver {
  return (key, value, context) => {
    if (typeof value === 'number' && context?.source !== undefined && String(value) !== plain(context.source))
      fields[key] = 'Write the number as plain digits, such as 12.50';
    if (typeof value === 'string' && value.includes('\0')) fields[key] = 'The NUL character is not allowed';
    return value;
  };
}

/** The text of a number without the zeros that end its decimals: 12.50 → 12.5. */
function plain(source: string): string {
  return source.includes('.') && !/e/i.test(source) ? source.replace(/\.?0+$/, '') : source;
}
