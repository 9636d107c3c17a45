import { arrayOf } from '../db/array-of.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { NOBODY, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
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
    'insert into networks (admin_id, arrives) values ($1, $2) returning id',
    [adminId, arrives],
  );
  return network!.id;
}

/** Whether the network of an admin is only to be moved here: what is put into it would be lost when it comes. Until the transaction ends it does not come. */
export async function isAwaited(tx: Tx, adminId: string): Promise<boolean> {
  const [network] = await tx.query<{ arrives: boolean }>('select arrives from networks where admin_id = $1 for share', [
    adminId,
  ]);
  return network?.arrives === true;
}

/** Makes a network of what stands beside while a backup is restored, with its number and nobody's yet. */
export async function openUnnamed(tx: Tx, number: number): Promise<void> {
  await tx.query(
    `insert into networks (id, admin_id, wallets) overriding system value select id, gen_random_uuid(), wallets from networks_beside where id = $1`,
    [number],
  );
}

/** Gives it to its admin, whose other network is gone. */
export async function nameNetwork(tx: Tx, number: number, adminId: string): Promise<void> {
  await tx.query('update networks set admin_id = $2 where id = $1', [number, adminId]);
}

/**
 * Opens wallets with balance 0, numbered on from the latest of their network; those that are there already stay as they are. Locks
 * the row of the network, so that every number is given once and none is left out.
 */
export async function openWallets(tx: Tx, networkId: number, names: readonly WalletName[]): Promise<void> {
  const [network] = await tx.query<{ wallets: number }>(
    'select wallets from networks where id = $1 for no key update',
    [networkId],
  );
  const added = await addWallets(tx, { networkId, last: network!.wallets }, names);
  await tx.query('update networks set wallets = wallets + $2 where id = $1', [networkId, added]);
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
    `update wallets set protection = $3 where network_id = $1 and owner_id = $2 and kind = ${WALLET_KINDS.credit}`,
    [networkId, accountId, changes],
    'wallet-protection',
  );
}

/** The balance of one wallet in hundredths; 0 where there is none. */
export async function balanceOf(on: Queryable, networkId: number, name: WalletName): Promise<bigint> {
  const [[kind], [owner]] = columnsOf([name]);
  const [row] = await on.query<{ balance: bigint }>(
    'select balance from wallets where network_id = $1 and owner_id = $2 and kind = $3',
    [networkId, owner, kind],
    'wallet-balance',
  );
  return row?.balance ?? 0n;
}

/** The admin of a network, by the wallet of its border: also of one that stands beside, which nobody has yet. */
export async function adminOf(on: Queryable, networkId: number): Promise<string> {
  const [row] = await on.query<{ owner_id: string }>(
    `select owner_id from wallets where network_id = $1 and kind = ${WALLET_KINDS.boundary} order by id limit 1`,
    [networkId],
    'wallet-admin',
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
    `select owner_id, coalesce(sum(balance) filter (where kind = ${WALLET_KINDS.credit}), 0)::bigint as credit,
            coalesce(sum(balance) filter (where kind = ${WALLET_KINDS.winnings}), 0)::bigint as winnings
     from wallets where network_id = $1 and owner_id = any($2::uuid[]) and kind in (${WALLET_KINDS.credit}, ${WALLET_KINDS.winnings})
     group by owner_id`,
    [networkId, arrayOf(accountIds)],
    'wallets-players',
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
  for (const { id } of await tx.query<{ id: number }>('select id from networks order by id')) {
    const wallets = await tx.query<{ balance: bigint }>(
      'select w.balance from wallets w where w.network_id = $1 and w.owner_id = $2 for update',
      [id, gameId],
      'wallets-of-game',
    );
    holds ||= wallets.some(({ balance }) => balance !== 0n);
  }
  return holds;
}

/** The most that any wallet of a network has, or owes, in hundredths. */
export async function largestBalance(on: Queryable, networkId: number): Promise<bigint> {
  const [row] = await on.query<{ most: bigint }>(
    'select coalesce(greatest(max(balance), -min(balance)), 0) as most from wallets where network_id = $1',
    [networkId],
    'wallets-most',
  );
  return row!.most;
}
