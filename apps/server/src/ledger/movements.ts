import type { Queryable } from '../db/database.ts';
import { transferKindOf, walletKindOf } from '@drawhouse/rules/ledger-kinds';
import type { TransferKind, WalletKind } from '@drawhouse/rules/ledger-kinds';
import { nextTo } from '../lists/serve-history.ts';
import type { NumberRange } from '../lists/serve-history.ts';
import type { Period } from '../period.ts';
import { clearedBefore, readGaps } from './wallet-gaps.ts';
import type { WalletGap } from './wallet-gaps.ts';
import { columnsOf } from './wallets.ts';
import { sql } from '../db/sql.ts';
import type { WalletName, WalletOf } from './wallets.ts';

/** One transfer as one of its two wallets sees it. Amounts in hundredths. */
export interface Movement {
  readonly id: string;
  /** Its number in the history of this wallet, from 1. */
  readonly version: bigint;
  readonly kind: TransferKind;
  /** Above zero into the wallet, below zero out of it. */
  readonly amount: bigint;
  /** The wallet's balance after it. */
  readonly balance: bigint;
  /** Whose wallet the other one is; the row id of a game where that is a table or an escrow. */
  readonly otherOwner: string;
  readonly otherKind: WalletKind;
  /** Its number in the history of the other wallet. */
  readonly otherVersion: bigint;
  readonly actorId: string | null;
  readonly reference: string | null;
  /** Empty where there is none. */
  readonly note: string;
  readonly at: Date;
}

/** The number of a wallet in its network. Throws where there is none of that name. */
export async function requireWallet(on: Queryable, networkId: number, name: WalletName): Promise<WalletOf> {
  const [[kind], [owner]] = columnsOf([name]);
  const [row] = await on.query<{ id: number }>(
    sql`select id from wallets where network_id = ${networkId} and owner_id = ${owner} and kind = ${kind}`.named(
      'wallet-find',
    ),
  );
  if (!row) throw new Error(`No such wallet in network ${networkId}: ${name}`);
  return { networkId, walletId: row.id };
}

/** SQL for one side of a wallet's transfers ($1 network, $2 wallet): its own columns without `from_` or `to_`, the others as `other`. */
export function side(own: 'from' | 'to', columns: string, where: string): string {
  const other = own === 'from' ? 'to' : 'from';
  return `select ${own === 'from' ? '-' : ''}t.amount as amount, t.${own}_balance as balance, t.${own}_version as version, t.${other}_wallet as other,
            t.${other}_version as "otherVersion", ${columns}
     from transfers t where t.network_id = $1 and t.${own}_wallet = $2 and t.${own}_version ${where}`;
}

/** The same for both sides. */
export function sides(columns: string, where: string): string {
  return `(${side('from', columns, where)} union all ${side('to', columns, where)})`;
}

/** The movements of a wallet that `found` gives with these columns, the oldest first; it is made of {@link side}. */
export async function movementsFrom(
  on: Queryable,
  found: (columns: string) => string,
  values: readonly [networkId: number, walletId: number, ...rest: unknown[]],
  name: string,
): Promise<Movement[]> {
  const rows = await on.query<Omit<Movement, 'kind' | 'otherKind'> & { kind: number; otherKind: number }>(
    `select m.*, w.owner_id as "otherOwner", w.kind as "otherKind"
     from ${found('t.id, t.kind, t.actor_id as "actorId", t.reference, t.note, t.at')} as m
     join wallets w on w.network_id = $1 and w.id = m.other order by m.version`,
    [...values],
    name,
  );
  return rows.map((row) => ({
    ...row,
    kind: transferKindOf(row.kind),
    otherKind: walletKindOf(row.otherKind),
  }));
}

/** The movements of a wallet with these versions, a stretch of its history, the oldest first. The caller bounds the stretch: all of it is read. */
function readMovements(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: NumberRange,
): Promise<Movement[]> {
  return movementsFrom(
    on,
    (columns) => sides(columns, 'between $3 and $4 - 1'),
    [networkId, walletId, from, past],
    'statement-movements',
  );
}

/** Movements of a stretch, and what was cleared between them, the oldest first, with the part of the stretch that they are. */
export interface Entries {
  readonly entries: readonly (Movement | WalletGap)[];
  readonly range: NumberRange;
}

/** The movements and gaps next to an end of a stretch, at most `limit`: the newest `fromEnd`, else the oldest. */
export async function readEntries(
  on: Queryable,
  wallet: WalletOf,
  range: NumberRange,
  next: { readonly limit: number; readonly fromEnd: boolean },
): Promise<Entries> {
  const gaps = await readGaps(on, wallet, range, next);
  if (gaps.length === 0) {
    const within = nextTo(range, next);
    return { range: within, entries: await readMovements(on, wallet, within) };
  }
  const order = `order by version ${next.fromEnd ? 'desc' : 'asc'} limit $5`;
  const movements = await movementsFrom(
    on,
    (columns) => `(select * from ${sides(columns, 'between $3 and $4 - 1')} as found ${order})`,
    [wallet.networkId, wallet.walletId, range.from, range.past, next.limit],
    `statement-entries-${next.fromEnd ? 'last' : 'first'}`,
  );
  const all = [...movements, ...gaps].toSorted((a, b) => (a.version < b.version ? -1 : 1));
  if (all.length <= next.limit) return { range, entries: all };
  const entries = next.fromEnd ? all.slice(-next.limit) : all.slice(0, next.limit);
  return {
    entries,
    range: next.fromEnd
      ? { from: firstOf(entries[0]!), past: range.past }
      : { from: range.from, past: entries.at(-1)!.version + 1n },
  };
}

function firstOf(entry: Movement | WalletGap): bigint {
  return 'firstVersion' in entry ? entry.firstVersion : entry.version;
}

/** The balance of a wallet before a version, in hundredths: after the one below it, 0 before the first. */
export async function balanceBefore(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  version: bigint,
): Promise<bigint> {
  const [row] = await on.query<{ balance: bigint }>(
    `select balance from ${sides('t.at', '= $3 - 1')} as m
     union all
     select closing from (select closing, last_version from wallet_gaps where network_id = $1 and wallet_id = $2 and first_version < $3
                          order by first_version desc limit 1) as gap where last_version = $3 - 1`,
    [networkId, walletId, version],
    'statement-balance',
  );
  return row?.balance ?? 0n;
}

/** More versions than any wallet will have, a power of two: a thousand a second for 35 years. */
const MOST_VERSIONS = 2n ** 40n;

/**
 * The versions of a wallet that were made in a period: a stretch of its history. What was cleared is in it as a whole where any of it was made in
 * the period.
 */
export async function historyIn(on: Queryable, wallet: WalletOf, { from, until }: Period): Promise<NumberRange> {
  const since = await versionSince(on, wallet, from);
  const past = await versionSince(on, wallet, until, 'first_at');
  return { from: since, past: past < since ? since : past };
}

/**
 * The version with which the part of a wallet's history begins that was made at or after an instant. A history is ordered by its versions;
 * its times rise with them unless a clock was wrong, so the place is found by halving, in one statement. After a clock was wrong it is one of
 * the places where the times cross the instant. It always starts from the same width, so an instant has the same place however long the
 * history has become: what one range closes with the next opens with. What was cleared was made when its last movement was, or its first.
 */
export async function versionSince(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  at: Date,
  clearedBy: 'first_at' | 'last_at' = 'last_at',
): Promise<bigint> {
  const [row] = await on.query<{ version: bigint }>(
    `with recursive halving (low, size) as (
       -- The movement \`low\` was made before the instant, or is 0; the one \`size\` above it was not, or is not there.
       select 0::bigint, ${MOST_VERSIONS}::bigint
       union all
       select case when exists (select from ${sides('t.at', '= low + size / 2')} as middle where middle.at < $3)
                     or ${clearedBefore('low + size / 2', '$3', clearedBy)}
                   then low + size / 2 else low end, size / 2
       from halving where size > 1
     )
     select low + 1 as version from halving where size = 1`,
    [networkId, walletId, at],
    `statement-since-${clearedBy}`,
  );
  return row!.version;
}
