const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The number that people read on a ticket: the time and the random end of its id in Crockford base 32. */
export function ticketNumber(id: string): string {
  // 28 bits of the time and 32 of the end, as two times 30, which fit six digits each.
  const time = Number.parseInt(id.slice(4, 8) + id.slice(9, 13), 16) & 0xfffffff;
  const end = Number.parseInt(id.slice(-8), 16);
  const digits = sixDigits(time * 4 + (end >>> 30)) + sixDigits(end & 0x3fffffff);
  return `${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8)}`;
}

function sixDigits(value: number): string {
  let text = '';
  for (let left = value; text.length < 6; left >>>= 5) text = CROCKFORD[left & 31]! + text;
  return text;
}

/** What the number of a ticket tells of its id, or the id itself. */
export interface TicketName {
  /** Between which ids it lies: the first and the last of each millisecond that it may be of. */
  readonly from: string[];
  readonly to: string[];
  /** The last eight digits of the id. */
  readonly end: string;
}

/** Of the time a number has the last 28 bits: it may be of one millisecond in each 3.1 days. */
const NUMBER_SPAN_MS = 2 ** 28;
/** No ticket was laid before. */
const FIRST_TICKETS_MS = Date.UTC(2025, 0);

/**
 * Reads the id of a ticket, or its number as people type it: in any case, and with O for 0, and I or L for 1. Both as the contract lets
 * them through; throws RangeError for a letter that no number has.
 */
export function readTicketName(text: string, now: Date): TicketName {
  const id = text.toLowerCase();
  if (id.length === 36) return { from: [id], to: [id], end: id.slice(-8) };
  let value = 0n;
  for (const letter of text.toUpperCase().replaceAll('-', '')) {
    const digit = CROCKFORD.indexOf(SAME[letter] ?? letter);
    if (digit < 0) throw new RangeError(`A number of a ticket has no ${letter}.`);
    value = value * 32n + BigInt(digit);
  }
  const ms: number[] = [];
  const first = Number(value >> 32n);
  // Another server's clock may be ahead of this one's.
  const latestMs = now.getTime() + NUMBER_SPAN_MS / 2;
  for (
    let at = first + Math.ceil((FIRST_TICKETS_MS - first) / NUMBER_SPAN_MS) * NUMBER_SPAN_MS;
    at <= latestMs;
    at += NUMBER_SPAN_MS
  )
    ms.push(at);
  const uuids = (rest: string): string[] =>
    ms.map((at) => at.toString(16).padStart(12, '0')).map((time) => `${time.slice(0, 8)}-${time.slice(8)}-${rest}`);
  return {
    from: uuids('7000-8000-000000000000'),
    to: uuids('7fff-bfff-ffffffffffff'),
    end: (value & 0xffffffffn).toString(16).padStart(8, '0'),
  };
}

const SAME: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
