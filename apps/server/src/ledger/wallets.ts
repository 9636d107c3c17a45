import type { Queryable, Tx } from '../db/database.ts';
import { nameUuid } from '../db/name-uuid.ts';

/** The kinds of wallet; what each is for stands in the ledger's chapter of the manual. */
export type WalletKind = 'credit' | 'commission' | 'winnings' | 'table' | 'escrow' | 'issuance' | 'boundary';

/** The kinds that may be below zero: the source of credit, the two sides of a border, and a house that owes. */
export const MAY_BE_NEGATIVE: ReadonlySet<WalletKind> = new Set<WalletKind>(['issuance', 'boundary', 'table']);

/** What names a wallet within its network. `gameId` is the row id of a game, for `table` and `escrow`. */
export interface WalletName {
  readonly ownerId: string;
  readonly kind: WalletKind;
  readonly gameId?: string;
}

/** The id of a wallet, which follows from its name. */
export function walletId({ ownerId, kind, gameId }: WalletName): string {
  return nameUuid(`${kind}:${ownerId}:${gameId ?? ''}`);
}

/** Opens wallets with balance 0; those that are there already stay as they are. */
export async function openWallets(tx: Tx, networkId: string, names: readonly WalletName[]): Promise<void> {
  await tx.query(
    `insert into wallets (network_id, id, owner_id, kind, game_id)
     select $1, * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[]) on conflict do nothing`,
    [
      networkId,
      names.map(walletId),
      names.map((name) => name.ownerId),
      names.map((name) => name.kind),
      names.map((name) => name.gameId ?? null),
    ],
  );
}

/** The balance of one wallet in hundredths; 0 where there is none. */
export async function balanceOf(on: Queryable, networkId: string, name: WalletName): Promise<bigint> {
  const [row] = await on.query<{ balance: bigint }>(
    'select balance from wallets where network_id = $1 and id = $2',
    [networkId, walletId(name)],
    'wallet-balance',
  );
  return row?.balance ?? 0n;
}
