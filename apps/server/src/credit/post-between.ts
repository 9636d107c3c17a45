import type { Hundredths } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { lockWallets, move, type Posting } from '../ledger/post.ts';
import { isPlaceholder, type WalletName } from '../ledger/wallets.ts';
import { CREDIT_TEXTS } from './credit-texts.ts';

interface Lower extends Pick<Actor, 'id' | 'networkId' | 'chain'> {
  readonly amount: Hundredths;
}

/** Balances after all moves. `lowers` keep their order and name the transfer in the lower account's network. */
export interface Posted {
  readonly upper: Hundredths;
  readonly lowers: readonly { readonly transferId: string; readonly balance: Hundredths }[];
}

interface Between {
  readonly upper: Pick<Actor, 'id' | 'networkId'>;
  /** Default: the upper account's credit. */
  readonly upperWallet?: WalletName;
  readonly lowers: readonly Lower[];
  readonly direction: 'give' | 'takeBack';
  readonly note: string | undefined;
  readonly actorId: string;
  /** Default: none, and a new one across a border. */
  readonly reference?: string;
  /** Runs under the locks of all wallets. */
  readonly beforeMove: (creditOf: (id: string) => Hundredths) => Promise<void> | void;
}

/**
 * Across a border, posts two transfers with one reference, the root's first. Locks wallets network by network, the
 * upper account's first, then by network number.
 */
export async function postBetween(
  services: Services,
  tx: Tx,
  { upper, upperWallet, lowers, direction, note, actorId, reference, beforeMove }: Between,
): Promise<Posted> {
  const { clock, newId, events } = services;
  const credit = ({ id }: { readonly id: string }): WalletName => `credit:${id}`;
  const above = upperWallet ?? credit(upper);
  const border = ({ chain }: Lower): WalletName => `boundary:${chain[1]!}`;
  const between = (over: WalletName, below: WalletName, amount: Hundredths, of: string | null): Posting => ({
    ...(direction === 'give' ? { from: over, to: below } : { from: below, to: over }),
    amount,
    kind: direction,
    actorId,
    reference: of,
    note,
  });
  const isHome = (lower: Lower): boolean => lower.networkId === upper.networkId;
  const abroad = [
    ...Map.groupBy(
      lowers.filter((lower) => !isHome(lower)),
      (lower) => lower.networkId,
    ),
  ];
  abroad.sort(([one], [other]) => one - other);
  for (const [, [some]] of abroad)
    if (await isPlaceholder(tx, some!.chain[1]!))
      throw new CallError('TARGET_INACTIVE', {
        message: CREDIT_TEXTS.networkMoving,
      });
  const sides = lowers.map((lower) => (isHome(lower) ? credit(lower) : border(lower)));
  const home = await lockWallets(tx, upper.networkId, [above, ...sides]);
  const walletsOf = new Map([[upper.networkId, home]]);
  for (const [networkId, there] of abroad)
    walletsOf.set(networkId, await lockWallets(tx, networkId, [border(there[0]!), ...there.map(credit)]));
  const stamp = { at: clock.now(), newId, events };
  const creditOf = new Map(lowers.map((lower) => [lower.id, walletsOf.get(lower.networkId)!.get(credit(lower))!]));
  await beforeMove((id) => creditOf.get(id)!.balance);
  const moves = lowers.map((lower, nth) => ({
    lower,
    side: sides[nth]!,
    of: reference ?? (isHome(lower) ? null : newId()),
  }));
  const outer = moves.map(({ lower, side, of }) => between(above, side, lower.amount, of));
  const transferIds = await move(tx, upper.networkId, stamp, home, outer);
  for (const [networkId] of abroad) {
    const there = [...moves.entries()].filter(([, { lower }]) => lower.networkId === networkId);
    const inner = there.map(([, { lower, side, of }]) => between(side, credit(lower), lower.amount, of));
    const ids = await move(tx, networkId, stamp, walletsOf.get(networkId)!, inner);
    for (const [at, [nth]] of there.entries()) transferIds[nth] = ids[at]!;
  }
  return {
    upper: home.get(above)!.balance,
    lowers: lowers.map(({ id }, nth) => ({ transferId: transferIds[nth]!, balance: creditOf.get(id)!.balance })),
  };
}
