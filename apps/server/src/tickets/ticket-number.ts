import { ticketName } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../platform/db/database.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql } from '../platform/db/sql/sql.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Id time and random end in Crockford base 32. */
export function ticketNumber(id: string): string {
  // 28 time bits and 32 random bits, split into two 30-bit halves of six digits.
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

export interface TicketName {
  readonly from: string[];
  readonly to: string[];
  readonly end: string;
}

/** Numbers carry 28 time bits, so they repeat every 3.1 days. */
const NUMBER_SPAN_MS = 2 ** 28;
const FIRST_TICKETS_MS = Date.UTC(2025, 0);

/**
 * Accepts any case, O for 0, I or L for 1. Expects contract-validated input; throws RangeError for letters outside the
 * alphabet.
 */
export function readTicketName(text: string, now: Date): TicketName {
  const id = text.toLowerCase();
  if (id.length === 36) return { from: [id], to: [id], end: id.slice(-8) };
  let value = 0n;
  for (const letter of text.toUpperCase().replaceAll('-', '')) {
    const digit = CROCKFORD.indexOf(SAME[letter] ?? letter);
    if (digit < 0) throw new RangeError(`A ticket number has no letter ${letter}.`);
    value = value * 32n + BigInt(digit);
  }
  const ms: number[] = [];
  const first = Number(value >> 32n);
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

/** Outside the actor's subtree: ids anywhere, numbers within the actor's network. */
export async function foreignTickets(
  on: Queryable,
  actor: Pick<Actor, 'id' | 'networkId'>,
  names: readonly string[],
  now: Date,
): Promise<string[]> {
  const named = names
    .filter((name) => ticketName.safeParse(name).success)
    .flatMap((name) => {
      const { from, to, end } = readTicketName(name, now);
      return from.map((first, index) => ({ name, first, last: to[index]!, end }));
    });
  const rows = await on.query<{ name: string }>(
    sql`select distinct named.name
     from networks n join unnest(${named.map(({ name }) => name)}::text[], ${named.map(({ first }) => first)}::uuid[],
       ${named.map(({ last }) => last)}::uuid[], ${named.map(({ end }) => end)}::text[]) as named (name, first, last, ending)
       on n.id = ${actor.networkId} or named.first = named.last
     join tickets t on t.network_id = n.id and t.id between named.first and named.last and right(t.id::text, 8) = named.ending
     join accounts a on a.id = t.account_id
     where not a.chain @> array[${actor.id}::uuid] ${sql.raw(crossNetworkComment('named'))}`.named('tickets-foreign'),
  );
  return rows.map((row) => row.name);
}
