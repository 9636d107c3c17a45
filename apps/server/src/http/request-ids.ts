import { randomBytes } from 'node:crypto';

/** Gives the next call its id. */
export type NewRequestId = () => string;

/** Crockford's base 32, in which ids are read out without mistaking one digit for another. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const OWN_DIGITS = 10;
const COUNT_DIGITS = 6;
const COUNT_END = 32 ** COUNT_DIGITS;

/**
 * Makes what gives each call of a server an id: a ULID, so that ids sort by time (`nowMs` in milliseconds since 1970) and no two servers give the same. What is
 * random in it is drawn once for each server, and the rest counts: an id names a call and guards nothing.
 */
export function createRequestIds(nowMs: () => number): NewRequestId {
  const own = Array.from(randomBytes(OWN_DIGITS), (byte) => DIGITS[byte & 31]).join('');
  let [lastMs, prefix, count] = [-1, '', 0];
  return () => {
    const ms = nowMs();
    if (ms !== lastMs) {
      lastMs = ms;
      prefix = inDigits(ms, TIME_DIGITS) + own;
    }
    count = (count + 1) % COUNT_END;
    return prefix + inDigits(count, COUNT_DIGITS);
  };
}

function inDigits(value: number, length: number): string {
  let text = '';
  for (let left = value; text.length < length; left = Math.floor(left / 32)) text = DIGITS[left % 32]! + text;
  return text;
}

/** What a caller may call its own call by, so that the log names both: short, and without anything that a log could be misled by. */
const PLAIN = /^[\w.-]{1,64}$/;

/** The id that a caller gave its call, where it is a plain one. It is logged beside the server's own, and never taken for it. */
export function idOfCaller(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && PLAIN.test(header) ? header : undefined;
}
