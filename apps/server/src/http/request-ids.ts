import { randomBytes } from 'node:crypto';

/** Gives the next call its id. */
export type NewRequestId = () => string;

/** Crockford's base 32, in which ids are read out without mistaking one digit for another. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const OWN_DIGITS = 16;
/** Random bytes are drawn for so many ids at once: a call for some takes as long as one for a kilobyte. */
const AT_ONCE = 256;

/**
 * Makes what gives each call of a server an id: a ULID, so that ids sort by time (`nowMs` in milliseconds since 1970). The rest of it is random and counts nothing: two of them do
 * not tell how many calls came between.
 */
export function createRequestIds(nowMs: () => number): NewRequestId {
  let [lastMs, time] = [-1, ''];
  let [bytes, at] = [Buffer.alloc(0), 0];
  return () => {
    const ms = nowMs();
    if (ms !== lastMs) [lastMs, time] = [ms, inDigits(ms, TIME_DIGITS)];
    if (at === bytes.length) [bytes, at] = [randomBytes(OWN_DIGITS * AT_ONCE), 0];
    let id = time;
    for (const end = at + OWN_DIGITS; at < end; at++) id += DIGITS[bytes[at]! & 31]!;
    return id;
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
