import { randomBytes } from 'node:crypto';

export type NewRequestId = () => string;

/** Crockford base 32, without look-alikes. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const OWN_DIGITS = 16;
/** A small random draw takes as long as a kilobyte. */
const AT_ONCE = 256;

/**
 * ULIDs: sortable by time (`nowMs`, Unix milliseconds), otherwise random, so two ids do not reveal the number of calls
 * between.
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

const PLAIN = /^[\w.-]{1,64}$/;

/** Only if safe. Logged beside the server's own id, never instead. */
export function idOfCaller(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && PLAIN.test(header) ? header : undefined;
}
