import { arrayOf } from '../db/array-of.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { NOBODY, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { sql } from '../db/sql.ts';
import type { WalletKind } from '@drawhouse/rules/ledger-kinds';

/**
 * What names a wallet within its network: its kind and whose it is. That is an account's id, for `table` and `escrow` the row id of a
 * game, for `boundary` the id of the network's admin, on both sides of the border, and for `issuance` {@link NOBODY}.
 */
export type WalletName = `${WalletKind}:${string}`;

/** A wallet by its numbers. */
export interface WalletOf {
  readonly networkId: number;
  readonly walletId: number;
}

/** The one source of credit, in the root. */
export const ISSUANCE: WalletName = `issuance:${NOBODY}`;

/** The columns `kind` and `owner_id` of wallets, from their names. */
export function columnsOf(names: readonly WalletName[]): [kinds: number[], owners: string[]] {
  const parts = names.map((name) => name.split(':') as [WalletKind, string]);
  return [parts.map(([kind]) => WALLET_KINDS[kind]), parts.map(([, owner]) => owner)];
}

/** Opens a network, without wallets yet; `arrives`: for one that is to be moved here. Gives its number. */
export async function openNetwork(tx: Tx, adminId: string, arrives = false): Promise<number> {
  const [network] = await tx.query<{ id: number }>(
    sql`insert into networks (admin_id, arrives) values (${adminId}, ${arrives}) returning id`,
  );
  return network!.id;
}

/** Whether the network of an admin is only to be moved here: what is put into it would be lost when it comes. Until the transaction ends it does not come. */
export async function isAwaited(tx: Tx, adminId: string): Promise<boolean> {
  const [network] = await tx.query<{ arrives: boolean }>(
    sql`select arrives from networks where admin_id = ${adminId} for share`,
  );
  return network?.arrives === true;
}

/** Makes a network of what stands beside while a backup is restored, with its number and nobody's yet. */
export async function openUnnamed(tx: Tx, number: number): Promise<void> {
  await tx.query(
    sql`insert into networks (id, admin_id, wallets) overriding system value select id, gen_random_uuid(), wallets from networks_beside where id = ${number}`,
  );
}

/** Gives it to its admin, whose other network is gone. */
export async function nameNetwork(tx: Tx, number: number, adminId: string): Promise<void> {
  await tx.query(sql`update networks set admin_id = ${adminId} where id = ${number}`);
}

/**
 * Opens wallets with balance 0, numbered on from the latest of their network; those that are there already stay as they are. Locks
 * the row of the network, so that every number is given once and none is left out.
 */
export async function openWallets(tx: Tx, networkId: number, names: readonly WalletName[]): Promise<void> {
  const [network] = await tx.query<{ wallets: number }>(
    sql`select wallets from networks where id = ${networkId} for no key update`,
  );
  const added = await addWallets(tx, { networkId, last: network!.wallets }, names);
  await tx.query(sql`update networks set wallets = wallets + ${added} where id = ${networkId}`);
}

/** Adds those of these wallets that are missing, numbered on from the last of their network, which the caller has locked and counts on. Gives how many. */
export async function addWallets(
  tx: Tx,
  { networkId, last }: { readonly networkId: number; readonly last: number },
  names: readonly WalletName[],
): Promise<number> {
  const added = await tx.query(
    `insert into wallets (network_id, id, kind, owner_id)
     select $1, $2 + row_number() over (order by new.nth), new.kind, new.owner_id
     from unnest($3::smallint[], $4::uuid[]) with ordinality as new (kind, owner_id, nth)
     where not exists (select from wallets w where w.network_id = $1 and w.owner_id = new.owner_id and w.kind = new.kind)
     returning 1 as added`,
    [networkId, last, ...columnsOf(names)],
  );
  return added.length;
}

/**
 * Writes at the credit of a player how many changes of its protection there were, in the transaction of the change: whoever locks that wallet sees whether what it
 * knows of them is the latest.
 */
export async function markProtection(
  tx: Tx,
  { networkId, accountId }: { readonly networkId: number; readonly accountId: string },
  changes: number,
): Promise<void> {
  await tx.query(
    sql`update wallets set protection = ${changes} where network_id = ${networkId} and owner_id = ${accountId} and kind = ${sql.lit(WALLET_KINDS.credit)}`.named(
      'wallet-protection',
    ),
  );
}

/** The balance of one wallet in hundredths; 0 where there is none. */
export async function balanceOf(on: Queryable, networkId: number, name: WalletName): Promise<bigint> {
  const [[kind], [owner]] = columnsOf([name]);
  const [row] = await on.query<{ balance: bigint }>(
    sql`select balance from wallets where network_id = ${networkId} and owner_id = ${owner} and kind = ${kind}`.named(
      'wallet-balance',
    ),
  );
  return row?.balance ?? 0n;
}

/** The admin of a network, by the wallet of its border: also of one that stands beside, which nobody has yet. */
export async function adminOf(on: Queryable, networkId: number): Promise<string> {
  const [row] = await on.query<{ owner_id: string }>(
    sql`select owner_id from wallets where network_id = ${networkId} and kind = ${sql.lit(WALLET_KINDS.boundary)} order by id limit 1`.named(
      'wallet-admin',
    ),
  );
  if (!row) throw new Error(`Network ${networkId} has no wallet of its border.`);
  return row.owner_id;
}

/** What players have, in hundredths. */
export interface PlayerWallets {
  readonly credit: bigint;
  /** What they have won and not claimed yet. */
  readonly winnings: bigint;
}

/** What each of these accounts of a network has; one without wallets is left out. */
export async function playerWallets(
  on: Queryable,
  networkId: number,
  accountIds: readonly string[],
): Promise<Map<string, PlayerWallets>> {
  const rows = await on.query<{ owner_id: string } & PlayerWallets>(
    sql`select owner_id, coalesce(sum(balance) filter (where kind = ${sql.lit(WALLET_KINDS.credit)}), 0)::bigint as credit,
            coalesce(sum(balance) filter (where kind = ${sql.lit(WALLET_KINDS.winnings)}), 0)::bigint as winnings
     from wallets where network_id = ${networkId} and owner_id = any(${arrayOf(accountIds)}::uuid[]) and kind in (${sql.lit(WALLET_KINDS.credit)}, ${sql.lit(WALLET_KINDS.winnings)})
     group by owner_id`.named('wallets-players'),
  );
  return new Map(rows.map(({ owner_id, credit, winnings }) => [owner_id, { credit, winnings }]));
}

/**
 * SQL for how many transfers the escrow of a game in a network has been in; null where there is no such wallet. Whatever is staked there,
 * drawn or given back makes it another number.
 */
export const escrowVersion = (network: string, game: string): string =>
  `(select w.version from wallets w where w.network_id = ${network} and w.owner_id = ${game} and w.kind = ${WALLET_KINDS.escrow})`;

/** SQL for what the escrow of a game in a network holds, in hundredths; zero where there is no such wallet. */
export const escrowBalance = (network: string, game: string): string =>
  `coalesce((select w.balance from wallets w where w.network_id = ${network} and w.owner_id = ${game} and w.kind = ${WALLET_KINDS.escrow}), 0)`;

/** SQL for the balance of the table of a game in a network, in hundredths; zero where there is no such wallet. */
export const tableBalance = (network: string, game: string): string =>
  `coalesce((select w.balance from wallets w where w.network_id = ${network} and w.owner_id = ${game} and w.kind = ${WALLET_KINDS.table}), 0)`;

/** Whether the table of a game, in any network, has a balance or owes. The tables are locked: nothing moves until the transaction ends. */
export async function tableHolds(tx: Tx, gameId: string): Promise<boolean> {
  let holds = false;
  for (const { id } of await tx.query<{ id: number }>(sql`select id from networks order by id`)) {
    const wallets = await tx.query<{ balance: bigint }>(
      sql`select w.balance from wallets w where w.network_id = ${id} and w.owner_id = ${gameId} for update`.named(
        'wallets-of-game',
      ),
    );
    holds ||= wallets.some(({ balance }) => balance !== 0n);
  }
  return holds;
}

/** The most that any wallet of a network has, or owes, in hundredths. */
export async function largestBalance(on: Queryable, networkId: number): Promise<bigint> {
  const [row] = await on.query<{ most: bigint }>(
    sql`select coalesce(greatest(max(balance), -min(balance)), 0) as most from wallets where network_id = ${networkId}`.named(
      'wallets-most',
    ),
  );
  return row!.most;
}
