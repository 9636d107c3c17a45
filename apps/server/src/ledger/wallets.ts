import { arrayOf, sql, type Sql } from '../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { NOBODY, WALLET_KINDS, type WalletKind } from '@drawhouse/rules/records/ledger-kinds';

/**
 * Kind and owner: account id; game row id for `table` and `escrow`; admin id for `boundary` on both sides; {@link
 * NOBODY} for `issuance`.
 */
export type WalletName = `${WalletKind}:${string}`;

export interface WalletOf {
  readonly networkId: number;
  readonly walletId: number;
}

export const ISSUANCE: WalletName = `issuance:${NOBODY}`;

export function columnsOf(names: readonly WalletName[]): [kinds: number[], owners: string[]] {
  const parts = names.map((name) => name.split(':') as [WalletKind, string]);
  return [parts.map(([kind]) => WALLET_KINDS[kind]), parts.map(([, owner]) => owner)];
}

/** `arrives`: placeholder for a network being moved here. Returns its number. */
export async function openNetwork(tx: Tx, adminId: string, arrives = false): Promise<number> {
  const [network] = await tx.query<{ id: number }>(
    sql`insert into networks (admin_id, arrives) values (${adminId}, ${arrives}) returning id`,
  );
  return network!.id;
}

/** Anything added to a placeholder would be lost on arrival. Blocks arrival until commit. */
export async function isPlaceholder(tx: Tx, adminId: string): Promise<boolean> {
  const [network] = await tx.query<{ arrives: boolean }>(
    sql`select arrives from networks where admin_id = ${adminId} for share`,
  );
  return network?.arrives === true;
}

export async function createStagedNetwork(tx: Tx, number: number): Promise<void> {
  await tx.query(
    sql`insert into networks (id, admin_id, wallets) overriding system value select id, gen_random_uuid(), wallets
      from staged_networks where id = ${number}`,
  );
}

export async function assignNetwork(tx: Tx, number: number, adminId: string): Promise<void> {
  await tx.query(sql`update networks set admin_id = ${adminId} where id = ${number}`);
}

/** Opens at balance 0; skips existing wallets. Locks the network row to keep numbers gapless. */
export async function openWallets(tx: Tx, networkId: number, names: readonly WalletName[]): Promise<void> {
  const [network] = await tx.query<{ wallets: number }>(
    sql`select wallets from networks where id = ${networkId} for no key update`,
  );
  const added = await addWallets(tx, { networkId, last: network!.wallets }, names);
  await tx.query(sql`update networks set wallets = wallets + ${added} where id = ${networkId}`);
}

/** The caller holds the network lock and advances the counter by the returned count. */
export async function addWallets(
  tx: Tx,
  { networkId, last }: { readonly networkId: number; readonly last: number },
  names: readonly WalletName[],
): Promise<number> {
  const [kinds, owners] = columnsOf(names);
  const added = await tx.query(
    sql`insert into wallets (network_id, id, kind, owner_id)
     select ${networkId}, ${last}::int + row_number() over (order by new.nth), new.kind, new.owner_id
     from unnest(${kinds}::smallint[], ${owners}::uuid[]) with ordinality as new (kind, owner_id, nth)
     where not exists (select from wallets w where w.network_id = ${networkId} and w.owner_id = new.owner_id and w.kind = new.kind)
     returning 1 as added`,
  );
  return added.length;
}

/** Call in the transaction of the change, so lockers detect stale protection data. */
export async function markProtection(
  tx: Tx,
  { networkId, accountId }: { readonly networkId: number; readonly accountId: string },
  changes: number,
): Promise<void> {
  await tx.query(
    sql`update wallets set protection = ${changes} where network_id = ${networkId} and owner_id = ${accountId}
      and kind = ${sql.lit(WALLET_KINDS.credit)}`.named('wallet-protection'),
  );
}

export async function balanceOf(on: Queryable, networkId: number, name: WalletName): Promise<bigint> {
  const [[kind], [owner]] = columnsOf([name]);
  const [row] = await on.query<{ balance: bigint }>(
    sql`select balance from wallets where network_id = ${networkId} and owner_id = ${owner} and kind = ${kind}`.named(
      'wallet-balance',
    ),
  );
  return row?.balance ?? 0n;
}

/** Reads the boundary wallet, so it also works for unnamed staged copies. */
export async function adminOf(on: Queryable, networkId: number): Promise<string> {
  const [row] = await on.query<{ owner_id: string }>(
    sql`select owner_id from wallets where network_id = ${networkId} and kind = ${sql.lit(WALLET_KINDS.boundary)} order by id
      limit 1`.named('wallet-admin'),
  );
  if (!row) throw new Error(`Network ${networkId} has no boundary wallet.`);
  return row.owner_id;
}

export interface PlayerWallets {
  readonly credit: bigint;
  readonly winnings: bigint;
}

export async function playerWallets(
  on: Queryable,
  networkId: number,
  accountIds: readonly string[],
): Promise<Map<string, PlayerWallets>> {
  const rows = await on.query<{ owner_id: string } & PlayerWallets>(
    sql`select owner_id, coalesce(sum(balance) filter (where kind = ${sql.lit(WALLET_KINDS.credit)}), 0)::bigint as credit,
            coalesce(sum(balance) filter (where kind = ${sql.lit(WALLET_KINDS.winnings)}), 0)::bigint as winnings
     from wallets where network_id = ${networkId} and owner_id = any(${arrayOf(accountIds)}::uuid[])
       and kind in (${sql.lit(WALLET_KINDS.credit)}, ${sql.lit(WALLET_KINDS.winnings)})
     group by owner_id`.named('wallets-players'),
  );
  return new Map(rows.map(({ owner_id, credit, winnings }) => [owner_id, { credit, winnings }]));
}

/** Number of transfers, null if missing. Changes with every stake, draw and refund. */
export const escrowVersion = (network: Sql, game: Sql): Sql =>
  sql`(select w.version from wallets w
    where w.network_id = ${network} and w.owner_id = ${game} and w.kind = ${sql.lit(WALLET_KINDS.escrow)})`;

export const escrowBalance = (network: Sql, game: Sql): Sql =>
  sql`coalesce((select w.balance from wallets w
    where w.network_id = ${network} and w.owner_id = ${game} and w.kind = ${sql.lit(WALLET_KINDS.escrow)}), 0)`;

export const tableBalance = (network: Sql, game: Sql): Sql =>
  sql`coalesce((select w.balance from wallets w
    where w.network_id = ${network} and w.owner_id = ${game} and w.kind = ${sql.lit(WALLET_KINDS.table)}), 0)`;

/** Checks all networks. Locks those tables until commit. */
export async function hasTableBalance(tx: Tx, gameId: string): Promise<boolean> {
  let hasBalance = false;
  for (const { id } of await tx.query<{ id: number }>(sql`select id from networks order by id`)) {
    const wallets = await tx.query<{ balance: bigint }>(
      sql`select w.balance from wallets w where w.network_id = ${id} and w.owner_id = ${gameId} for update`.named(
        'wallets-of-game',
      ),
    );
    hasBalance ||= wallets.some(({ balance }) => balance !== 0n);
  }
  return hasBalance;
}

export async function largestBalance(on: Queryable, networkId: number): Promise<bigint> {
  const [row] = await on.query<{ most: bigint }>(
    sql`select coalesce(greatest(max(balance), -min(balance)), 0) as most from wallets where network_id = ${networkId}`.named(
      'wallets-most',
    ),
  );
  return row!.most;
}
