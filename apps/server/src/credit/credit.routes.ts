import { childRoutes, type ParentRole } from '@drawhouse/contract/accounts/account-children';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import {
  payCommission as payCommissionRoute,
  reverseTransfer as reverseTransferRoute,
} from '@drawhouse/contract/credit/credit';
import { distantAdmin, loadCredit } from '@drawhouse/contract/credit/own-credit';
import {
  payCommissions as payCommissionsRoute,
  transferToMany as transferToManyRoute,
} from '@drawhouse/contract/credit/payouts';
import { statement, statementSummary, type StatementSummary } from '@drawhouse/contract/credit/statement';
import { hundredthsOf, pointsOf, roleBelow, ROLES } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../platform/services.ts';
import { handle, type BoundRoute, type Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { readReport } from '../platform/lists/read-report.ts';
import { serveHistory, findOwner } from '../platform/lists/serve-history.ts';
import { balanceOf } from '../ledger/wallets.ts';
import {
  statementSource,
  readWalletPeriod,
  ownerOf,
  type TicketNumber,
  type WalletPeriodQuery,
  type Owner,
} from './account-statement.ts';
import { dailyLimitOf, loginLimitOf } from './daily-limit.ts';
import { payCommission, payCommissions, type FailedPart } from './pay-commissions.ts';
import { reverseTransfer } from './reverse-transfer.ts';
import { transferCredit, transferToMany, type CreditOrder, type CreditResult } from './transfer-credit.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sampleBalances, sumKinds } from '../ledger/movement-kinds.ts';
import { toWireKind } from './visible-transfer.ts';
import { CREDIT_TEXTS } from './credit-texts.ts';
import type { CreditCourier } from './across/carry-credit.ts';
import { sumInTransit } from './across/messages.ts';
import { requireFirstCell } from '../cells/other-cell.ts';
import { findDistantAdmin, readDistantAdmin, sendCredit, type MessageReference } from './across/send-credit.ts';

interface CreditBody {
  readonly password: string;
  readonly note?: string;
}

type Target = Pick<CreditOrder, 'targetId' | 'targetRole' | 'parentId'>;
type Answer = Promise<CreditResult & { message: string }>;

interface CreditParts {
  readonly ticketNumber: TicketNumber;
  readonly failedPart: FailedPart;
  readonly courier: CreditCourier;
}

export function creditRoutes(
  services: Services,
  { ticketNumber, failedPart, courier }: CreditParts,
): BoundRoute<Actor>[] {
  async function moveOnce(call: Call<Actor>, order: CreditOrder): Promise<CreditResult> {
    const distant = await findDistantAdmin(services, call.actor, order);
    const result = await (distant
      ? sendCredit<CreditResult>(services, call, order, distant)
      : transferCredit<MessageReference>(services, call, order));
    return 'sent' in result ? courier.answer(call.actor, result.sent) : result;
  }
  async function transfer(call: Call<Actor>, target: Target, body: CreditBody & { transferAmount: number }): Answer {
    const { password, note } = body;
    const amount = hundredthsOf(body.transferAmount)!;
    const order = { ...target, amount, direction: 'give', mayIssue: false, password, note } as const;
    return { message: CREDIT_TEXTS.transferred, ...(await moveOnce(call, order)) };
  }
  async function adjust(
    call: Call<Actor>,
    target: Target,
    body: CreditBody & { adjustAmount: number; transactionType: 'credit' | 'debit' },
  ): Answer {
    const { password, note } = body;
    const direction = body.transactionType === 'credit' ? 'give' : 'takeBack';
    // Retiring is allowed everywhere, else credit taken back into another cell would have no way out.
    if (target.targetRole === 'superadmin' && direction === 'give') await requireFirstCell(services);
    const amount = hundredthsOf(body.adjustAmount)!;
    const order = { ...target, amount, direction, mayIssue: true, password, note } as const;
    return { message: CREDIT_TEXTS.adjusted, ...(await moveOnce(call, order)) };
  }

  return [
    ...ROLES.flatMap((targetRole) => [
      handle(accountRoutes[targetRole].creditTransfer, ({ body }, call: Call<Actor>) =>
        transfer(call, { targetId: body.toUserId, targetRole }, body),
      ),
      handle(accountRoutes[targetRole].creditAdjust, ({ body }, call: Call<Actor>) =>
        adjust(call, { targetId: body.toUserId, targetRole }, body),
      ),
    ]),
    ...ROLES.filter((role): role is ParentRole => role !== 'user').flatMap((parentRole) => {
      const targetRole = roleBelow(parentRole)!;
      return [
        handle(childRoutes[parentRole].creditTransfer, ({ params, body }, call: Call<Actor>) =>
          transfer(call, childTarget(params, targetRole, body.toUserId), body),
        ),
        handle(childRoutes[parentRole].creditAdjust, ({ params, body }, call: Call<Actor>) =>
          adjust(call, childTarget(params, targetRole, body.toUserId), body),
        ),
      ];
    }),
    handle(loadCredit, (_input, call: { actor: Actor }) => readOwnCredit(services, call)),
    handle(distantAdmin, async ({ params }) => ({ data: await readDistantAdmin(services, params.id) })),
    handle(payCommissionRoute, async ({ body }, call: Call<Actor>) => {
      const { toUserId: targetId, amount, password, note } = body;
      const order = { targetId, amount: amount === undefined ? undefined : hundredthsOf(amount)!, password, note };
      return { message: CREDIT_TEXTS.paidOut, ...(await payCommission(services, call, order)) };
    }),
    ...manyRoutes(services, failedPart),
    handle(reverseTransferRoute, async ({ body }, call: Call<Actor>) => {
      const { transferId, password, note } = body;
      return {
        message: CREDIT_TEXTS.reversed,
        ...(await reverseTransfer(services, call, { transferId, password, note })),
      };
    }),
    ...serveHistory(services, statement, statementSource(ticketNumber)),
    handle(statementSummary, ({ query }, call: Call<Actor>) =>
      readReport(services, call, (reports) => reports.snapshot((on) => summarize(on, call.actor, query))),
    ),
  ];
}

async function readOwnCredit(services: Services, { actor }: { readonly actor: Actor }) {
  const balance = await balanceOf(services.db, actor.networkId, `credit:${actor.id}`);
  const at = services.clock.now();
  const limits = [
    await dailyLimitOf(services, services.db, actor, at),
    await loginLimitOf(services, services.db, actor, at),
  ];
  const left = limits.flatMap((limit) => limit?.left ?? []).toSorted((one, other) => (one < other ? -1 : 1));
  const inTransit = actor.role === 'superadmin' ? await sumInTransit(services.db) : 0n;
  return {
    data: [
      {
        _id: actor.id,
        walletBalance: pointsOf(balance),
        leftToday: left.length > 0 ? pointsOf(left[0]!) : null,
        ...(inTransit > 0n && { inTransit: pointsOf(inTransit) }),
      },
    ],
  };
}

function manyRoutes(services: Services, failedPart: FailedPart): BoundRoute<Actor>[] {
  return [
    handle(payCommissionsRoute, async ({ body }, call: Call<Actor>) => {
      const { password, note } = body;
      const payouts = body.payouts.map(({ toUserId: targetId, amount }) => ({
        targetId,
        amount: amount === undefined ? undefined : hundredthsOf(amount)!,
      }));
      return payCommissions(services, call, { payouts, password, note }, failedPart);
    }),
    handle(transferToManyRoute, async ({ body }, call: Call<Actor>) => {
      const { password, note, transactionType } = body;
      const direction = transactionType === 'credit' ? 'give' : 'takeBack';
      const moves = body.transfers.map(({ toUserId, amount }) => ({
        targetId: toUserId,
        amount: hundredthsOf(amount)!,
      }));
      const message = direction === 'give' ? CREDIT_TEXTS.transferred : CREDIT_TEXTS.adjusted;
      return { message, ...(await transferToMany(services, call, { moves, direction, password, note })) };
    }),
  ];
}

function childTarget(
  params: { id: string; childId: string },
  targetRole: Target['targetRole'],
  toUserId: string | undefined,
): Target {
  if (toUserId !== undefined && toUserId !== params.childId)
    throw new CallError('INVALID_INPUT', { fields: { toUserId: CREDIT_TEXTS.notInPath } });
  return { targetId: params.childId, targetRole, parentId: params.id };
}

const CURVE_POINTS = 200;

async function summarize(
  on: Queryable,
  actor: Actor,
  query: WalletPeriodQuery & { readonly id?: string | undefined },
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
      kind: kind === 'cleared' ? kind : toWireKind(kind),
      count: Number(count),
      credit: orNull(into),
      debit: orNull(outOf),
    })),
    balances: balances.map(({ at, balance }) => ({ at: at.toISOString(), balance: pointsOf(balance) })),
    movements: Number(range.past - range.from),
  };
}
