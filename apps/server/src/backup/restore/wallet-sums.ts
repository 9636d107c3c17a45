import { walletKindOf } from '@drawhouse/rules/ledger-kinds';
import type { Copier } from '../../platform/db/sql/copy-snapshot.ts';
import { BackupDamaged } from './backup-damaged.ts';
import type { Manifest } from '../take/manifest.ts';

export async function walletSums(on: Pick<Copier, 'query'>, networkId: number): Promise<Manifest['wallets']> {
  const found = await on.query<{ kind: number; wallets: number; balance: string }>(
    `select kind, count(*)::int as wallets, sum(balance)::text as balance from wallets where network_id = $1 group by kind order by kind`,
    [networkId],
  );
  return found.map(({ kind, ...sums }) => ({ kind: walletKindOf(kind), ...sums }));
}

export async function requireWallets(
  on: Pick<Copier, 'query'>,
  networkId: number,
  { wallets: told }: Pick<Manifest, 'wallets'>,
): Promise<void> {
  const textOf = (sums: Manifest['wallets']): string =>
    sums
      .map(({ kind, wallets, balance }) => `${kind}: ${wallets} with ${balance}`)
      .toSorted()
      .join();
  if (textOf(await walletSums(on, networkId)) !== textOf(told))
    throw new BackupDamaged('its wallets do not hold what its manifest says');
}
