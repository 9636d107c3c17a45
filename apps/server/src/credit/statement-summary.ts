import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { StatementSummary } from '@drawhouse/contract/credit/statement';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import { sampleBalances, sumKinds } from '../ledger/movement-kinds.ts';
import { findOwner } from '../lists/serve-history.ts';
import { readWalletPeriod, ownerOf } from './account-statement.ts';
import type { Asked, Owner } from './account-statement.ts';
import { kindOutside } from './shown-transfer.ts';

/** As many points as a curve has at most: one for every few pixels of a wide screen. */
const CURVE_POINTS = 200;

/** What the movements of a statement come to: by their kinds, in all, and as a curve of the balance. */
export async function summarize(
  on: Queryable,
  actor: Actor,
  query: Asked & { readonly id?: string | undefined },
): Promise<Omit<StatementSummary, 'success'>> {
  const account = await findOwner<Owner>(on, ownerOf(actor, query.id));
  const { wallet, range, opening, closing } = await readWalletPeriod(on, account, query);
  const kinds = await sumKinds(on, wallet, range, { opening, closing });
  const total = (amounts: readonly (bigint | undefined)[]): number | null =>
    amounts.includes(undefined) ? null : pointsOf(amounts.reduce<bigint>((sum, amount) => sum + amount!, 0n));
  const orNull = (amount: bigint | undefined): number | null => (amount === undefined ? null : pointsOf(amount));
  const balances = await sampleBalances(on, wallet, range, CURVE_POINTS);
  return {
    opening: pointsOf(opening),
    closing: pointsOf(closing),
    credit: total(kinds.map(({ into }) => into)),
    debit: total(kinds.map(({ outOf }) => outOf)),
    kinds: kinds.map(({ kind, count, into, outOf }) => ({
      kind: kind === 'cleared' ? kind : kindOutside(kind),
      count: Number(count),
      credit: orNull(into),
      debit: orNull(outOf),
    })),
    balances: balances.map(({ at, balance }) => ({ at: at.toISOString(), balance: pointsOf(balance) })),
    movements: Number(range.past - range.from),
  };
}
