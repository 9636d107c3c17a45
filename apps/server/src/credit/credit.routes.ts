import { accountRoutes } from '@drawhouse/contract/accounts';
import { loadCredit } from '@drawhouse/contract/credit';
import { hundredthsOf, pointsOf, ROLES } from '@drawhouse/contract/primitives';
import { requireSelf } from '../accounts/accounts.routes.ts';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { transferCredit } from './transfer-credit.ts';

/** The routes that move credit: transfer and adjust for every level, and the caller's own balance. */
export function creditRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    ...ROLES.flatMap((targetRole) => [
      handle(accountRoutes[targetRole].creditTransfer, async ({ body }, call: Parameters<typeof transferCredit>[1]) => {
        requireSelf(call.actor, body.userId);
        const result = await transferCredit(services, call, {
          targetId: body.toUserId,
          targetRole,
          amount: hundredthsOf(body.transferAmount)!,
          direction: 'credit',
          mayIssue: false,
          password: body.password,
          note: body.note,
        });
        return { message: 'Credit transfer successful!', ...result };
      }),
      handle(accountRoutes[targetRole].creditAdjust, async ({ body }, call: Parameters<typeof transferCredit>[1]) => {
        requireSelf(call.actor, body.userId);
        const result = await transferCredit(services, call, {
          targetId: body.toUserId,
          targetRole,
          amount: hundredthsOf(body.adjustAmount)!,
          direction: body.transactionType,
          mayIssue: true,
          password: body.password,
          note: body.note,
        });
        return { message: 'Credit adjustment successful!', ...result };
      }),
    ]),
    handle(loadCredit, async ({ query }, { actor }: { actor: Actor }) => {
      requireSelf(actor, query.id);
      const balance = await balanceOf(services.db, actor.networkId, { ownerId: actor.id, kind: 'credit' });
      return { data: [{ _id: actor.id, walletBalance: pointsOf(balance) }] };
    }),
  ];
}
