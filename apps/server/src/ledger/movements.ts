import type { Queryable } from '../platform/db/database.ts';
import { transferKindOf, walletKindOf } from '@drawhouse/rules/records/ledger-kinds';
import type { TransferKind, WalletKind } from '@drawhouse/rules/records/ledger-kinds';
import { nextTo } from '../platform/lists/serve-history.ts';
import type { NumberRange } from '../platform/lists/serve-history.ts';
import type { Period } from '../platform/time/period.ts';
import { clearedBefore, readGaps } from './wallet-gaps.ts';
import type { WalletGap } from './wallet-gaps.ts';
import { columnsOf } from './wallets.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { WalletName, WalletOf } from './wallets.ts';

/** One transfer from one wallet's view. Amounts in hundredths. */
export interface Movement {
  readonly id: string;
  /** Gapless position in this wallet's history, from 1. */
  readonly version: bigint;
  readonly kind: TransferKind;
  /** Positive: into this wallet. */
  readonly amount: bigint;
  readonly balance: bigint;
  /** Account id, or game row id for tables and escrows. */
  readonly otherOwner: string;
  readonly otherKind: WalletKind;
  readonly otherVersion: bigint;
  readonly actorId: string | null;
  readonly reference: string | null;
  readonly note: string;
  readonly at: Date;
}

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

/**
 * SQL for one side of a wallet's transfers ($1 network, $2 wallet): own columns lose their prefix, others become
 * `other`.
 */
export function side(own: 'from' | 'to', columns: string, where: string): string {
  const other = own === 'from' ? 'to' : 'from';
  return `select ${own === 'from' ? '-' : ''}t.amount as amount, t.${own}_balance as balance, t.${own}_version as version, t.${other}_wallet as other,
            t.${other}_version as "otherVersion", ${columns}
     from transfers t where t.network_id = $1 and t.${own}_wallet = $2 and t.${own}_version ${where}`;
}

export function sides(columns: string, where: string): string {
  return `(${side('from', columns, where)} union all ${side('to', columns, where)})`;
}

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

/** Oldest first. Reads the whole stretch; callers bound it. */
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

export interface Entries {
  readonly entries: readonly (Movement | WalletGap)[];
  readonly range: NumberRange;
}

/** Newest if `fromEnd`, else oldest; at most `limit`. */
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

/** Balance just before a version, in hundredths; 0 before the first. */
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

/** Above any real version; power of two. A thousand a second for 35 years. */
const MOST_VERSIONS = 2n ** 40n;

/** Versions made in a period. Includes a cleared gap whole if any part falls inside. */
export async function historyIn(on: Queryable, wallet: WalletOf, { from, until }: Period): Promise<NumberRange> {
  const since = await versionSince(on, wallet, from);
  const past = await versionSince(on, wallet, until, 'first_at');
  return { from: since, past: past < since ? since : past };
}

/**
 * First version at or after an instant, by binary search in one statement. After a clock error, one of several
 * crossings. The fixed search width maps an instant to the same version always, so adjacent ranges share closing and
 * opening balance. A gap counts at its last, or first, movement.
 */
export async function versionSince(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  at: Date,
  clearedBy: 'first_at' | 'last_at' = 'last_at',
): Promise<bigint> {
  const [row] = await on.query<{ version: bigint }>(
    `with recursive halving (low, size) as (
       -- Invariant: movement \`low\` precedes the instant or is 0; movement \`low + size\` does not, or is missing.
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
