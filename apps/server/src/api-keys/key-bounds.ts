import { pointsText } from '@drawhouse/contract/core/primitives';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import { arrayOf, sql } from '../platform/db/sql/sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { isAllowed } from '../platform/http/request/address.ts';
import { addressNotAllowed } from './authenticate-key.ts';
import { API_KEY_TEXTS } from './api-keys-texts.ts';

const MINUTE_MS = 60_000;

export interface KeyedBet {
  readonly apiKey?: number | undefined;
  readonly ip: string;
}

interface Now {
  readonly at: Date;
  readonly timeZone: string;
}

export interface KeyBounds {
  /** Undefined if allowed, or if a player places the bet. */
  refusalOf(bet: KeyedBet, stake: bigint): CallError | undefined;
  count(bet: KeyedBet, stake: bigint): void;
  write(tx: Tx): Promise<void>;
}

const NONE: KeyBounds = { refusalOf: () => undefined, count: () => {}, write: async () => {} };

interface KeyRow {
  number: number;
  usable: boolean;
  tickets_per_minute: number | null;
  stake_per_day: bigint | null;
  addresses: string[];
  minute_at: Date | null;
  minute_tickets: number;
  staked: bigint;
}

interface Used {
  readonly row: KeyRow;
  readonly minute: Date;
  readonly before: number;
  readonly allowed: Map<string, boolean>;
  tickets: number;
  stake: bigint;
}

/**
 * Locks in number order, so changes to a key wait for the batch and vice versa. No query if players placed every bet.
 * Lock order: after wallets, before escrow.
 */
export async function readKeyBounds(
  tx: Tx,
  networkId: number,
  bets: readonly KeyedBet[],
  { at, timeZone }: Now,
): Promise<KeyBounds> {
  const numbers = [...new Set(bets.flatMap(({ apiKey }) => apiKey ?? []))];
  if (numbers.length === 0) return NONE;
  const day = dayOf(at, timeZone);
  const minute = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
  const locking = tx.query<Omit<KeyRow, 'staked'>>(
    sql`select k.number, k.tickets_per_minute, k.stake_per_day, k.addresses::text[] as addresses, k.minute_at, k.minute_tickets,
            k.ended_at is null and exists (select from networks n where n.id = ${networkId}) as usable
     from api_keys k where k.network_id = ${networkId} and k.number = any(${arrayOf(numbers)}::smallint[])
       order by k.number for no key update of k`.named('api-keys-lock'),
  );
  // Must run after the lock, to see the previous batch's rows.
  const summing = tx.query<{ number: number; stake: bigint }>(
    sql`select number, stake from api_key_days where network_id = ${networkId} and number = any(${arrayOf(numbers)}::smallint[])
      and day = ${day}::date`.named('api-keys-staked'),
  );
  const [locked, staked] = await Promise.all([locking, summing]);
  const sums = new Map(staked.map(({ number, stake }) => [number, stake]));
  const keys = new Map(
    locked.map((row): [number, Used] => {
      // The minute may have passed during the lock wait; clocks may also lag.
      const isLater = row.minute_at !== null && row.minute_at >= minute;
      const before = isLater ? row.minute_tickets : 0;
      return [
        row.number,
        {
          row: { ...row, staked: sums.get(row.number) ?? 0n },
          minute: isLater ? row.minute_at! : minute,
          before,
          allowed: new Map(),
          tickets: 0,
          stake: 0n,
        },
      ];
    }),
  );
  return {
    refusalOf({ apiKey, ip }, stake) {
      if (apiKey === undefined) return undefined;
      const key = keys.get(apiKey);
      if (!key?.row.usable) return new CallError('API_KEY_ENDED');
      if (!isFrom(key, ip)) return addressNotAllowed();
      return beyondMinute(key, at) ?? beyondDay(key, stake);
    },
    count({ apiKey }, stake) {
      const key = apiKey === undefined ? undefined : keys.get(apiKey);
      if (!key) return;
      key.tickets++;
      key.stake += stake;
    },
    write: (on) => writeUse(on, networkId, { day, used: [...keys.values()].filter(({ tickets }) => tickets > 0) }),
  };
}

function isFrom({ row, allowed }: Used, ip: string): boolean {
  let isInRange = allowed.get(ip);
  if (isInRange === undefined) {
    isInRange = isAllowed(row.addresses, ip);
    allowed.set(ip, isInRange);
  }
  return isInRange;
}

function beyondMinute({ row, minute, before, tickets }: Used, at: Date): CallError | undefined {
  const most = row.tickets_per_minute;
  if (most === null || before + tickets < most) return undefined;
  const leftMs = minute.getTime() + MINUTE_MS - at.getTime();
  return new CallError('THROTTLED', {
    message: API_KEY_TEXTS.tooManyTickets(most),
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  });
}

function beyondDay({ row, stake: added }: Used, stake: bigint): CallError | undefined {
  const most = row.stake_per_day;
  if (most === null) return undefined;
  const left = most - row.staked - added;
  if (stake <= left) return undefined;
  return new CallError('API_KEY_LIMIT', {
    fields: { lines: API_KEY_TEXTS.stakeLeft(pointsText(left > 0n ? left : 0n)) },
  });
}

async function writeUse(
  tx: Tx,
  networkId: number,
  { day, used }: { readonly day: string; readonly used: readonly Used[] },
): Promise<void> {
  if (used.length === 0) return;
  const numbers = arrayOf(used.map(({ row }) => row.number));
  const tickets = arrayOf(used.map((key) => key.tickets));
  await tx.send(
    sql`update api_keys k set minute_at = u.minute, minute_tickets = u.tickets
     from unnest(${used.map(({ minute }) => minute)}::timestamptz[], ${numbers}::smallint[],
       ${arrayOf(used.map(({ before, tickets: added }) => before + added))}::int[]) as u (minute, number, tickets)
       where k.network_id = ${networkId} and k.number = u.number`.named('api-keys-minute'),
  );
  await tx.send(
    sql`insert into api_key_days (network_id, number, day, tickets, stake)
     select ${networkId}, u.number, ${day}::date, u.tickets, u.stake
       from unnest(${numbers}::smallint[], ${tickets}::bigint[],
         ${arrayOf(used.map(({ stake }) => stake))}::bigint[]) as u (number, tickets, stake)
     on conflict (network_id, number, day) do update
       set tickets = api_key_days.tickets + excluded.tickets, stake = api_key_days.stake + excluded.stake`.named(
      'api-keys-day',
    ),
  );
}
