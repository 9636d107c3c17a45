import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import {
  STANDING_ORDER_KINDS,
  standingOrderTerms,
  type makeStandingOrder as makeRoute,
  type StandingOrder,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { clockSlotAfter } from '@drawhouse/rules/time/clock-slots';
import type { Weekday } from '@drawhouse/rules/records/week-balance';
import type { Actor } from '../accounts/authority.ts';
import { once } from '../activity/idempotency.ts';
import { requireOpenBooks } from '../activity/network-work/closed-books.ts';
import { shareNetworkLock } from '../activity/network-work/network-work.ts';
import { runCommand, underRules, type LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import { guardedMoves, moveCredits } from '../credit/transfer-credit.ts';
import type { Tx } from '../platform/db/database.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { timeWords } from '../protection/protection-texts.ts';
import { requirePairs, type Pair } from '../weeks/pairs.sql.ts';
import { isBeyond, readMeasures } from './watch-floors.ts';
import { lockOrder, ORDER_COLUMNS, ordersIn, toOrder, writeEnd, type OrderRow } from './standing-orders.sql.ts';
import {
  STANDING_ORDER_NOTES,
  STANDING_ORDER_REASONS,
  STANDING_ORDER_SUBJECTS,
  STANDING_ORDER_TEXTS,
} from './standing-orders-texts.ts';

type Wanted = RouteParsed<typeof makeRoute>['body'];

const MOST_ORDERS = 10;
const YEAR_MS = 366 * 86_400_000;

/**
 * Makes an order for a child of the caller, once per Idempotency-Key. Gives temporary credit. Asks for the password.
 */
export async function makeStandingOrder(
  services: Services,
  call: Call<Actor>,
  firstWeekday: Weekday,
  wanted: Wanted,
): Promise<StandingOrder> {
  await requirePassword(services, call, wanted.password);
  const { actor } = call;
  if (actor.apiKey) throw new CallError('NOT_ALLOWED', { message: STANDING_ORDER_TEXTS.noKeys });
  const { password: _password, userId: _userId, ...order } = wanted;
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const guarded: GuardedAct[] = [];
    const { answer } = await once(tx, call, at, ['standing-order', order], async () => {
      const pair = await requireChild(tx, actor, order.accountId);
      const made = await insertOrder(services, tx, actor, { at, pair, order, firstWeekday });
      const shown = toOrder(made, actor);
      more.push({
        subject: STANDING_ORDER_SUBJECTS.made(
          STANDING_ORDER_KINDS[made.kind],
          pair.username,
          standingOrderTerms(shown),
        ),
        detail: { standingOrder: made.id, accountId: pair.id, kind: made.kind, sum: pointsOf(made.amount) },
      });
      if (made.kind === 'refill')
        guarded.push(...underRules(actor, { kind: 'credit', networkId: pair.networkId, amount: made.amount }));
      if (made.kind === 'temporary') {
        const moved = await giveNow(services, tx, actor, made);
        more.push({ ...moved.logged, detail: { ...moved.logged.detail, standingOrder: made.id } });
        guarded.push(...guardedMoves(actor, [moved], made.amount));
      }
      return shown;
    });
    return { result: answer, subject: null, more, guarded };
  });
}

async function requireChild(tx: Tx, actor: Actor, accountId: string): Promise<Pair> {
  const [pair] = await requirePairs(tx, actor, [accountId], () => 'accountId');
  const { id, networkId, parentId } = pair!;
  if (parentId !== actor.id)
    throw new CallError('NOT_FOUND', { fields: { accountId: STANDING_ORDER_TEXTS.notDirectlyBelow } });
  await enterNetwork(tx, networkId);
  const active = await tx.query(
    sql`select from standing_orders where network_id = ${networkId} and account_id = ${id} and ended_at is null`,
  );
  if (active.length >= MOST_ORDERS)
    throw new CallError('RULE_REFUSED', { message: STANDING_ORDER_TEXTS.tooMany(MOST_ORDERS) });
  return pair!;
}

async function enterNetwork(tx: Tx, networkId: number): Promise<void> {
  if (!(await shareNetworkLock(tx, networkId))) throw new CallError('NETWORK_RESTORING');
  await requireOpenBooks(tx, networkId);
}

interface NewOrder {
  readonly at: Date;
  readonly pair: Pair;
  readonly order: Omit<Wanted, 'password' | 'userId'>;
  readonly firstWeekday: Weekday;
}

async function insertOrder(
  services: Services,
  tx: Tx,
  actor: Actor,
  { at, pair, order, firstWeekday }: NewOrder,
): Promise<OrderRow> {
  const { id: accountId, networkId } = pair;
  const { kind, sum } = order;
  const { nextAt, clock, weekdays, measure } = termsOf(order, at, services.timeZone);
  const id = services.newId();
  const amount = hundredthsOf(sum)!;
  const measures =
    measure === null
      ? undefined
      : await readMeasures(tx, [{ ...pair, accountId, measure }], { at, timeZone: services.timeZone, firstWeekday });
  const stoppedAt = measures && isBeyond({ measure: measure!, amount }, measures.get(accountId)!) ? at : null;
  await tx.query(
    sql`insert into standing_orders (network_id, id, at, account_id, giver_id, login, kind, amount, next_at, clock, weekdays, measure,
        stopped_at)
      values (${networkId}, ${id}, ${at}, ${accountId}, ${actor.id}, ${actor.login}, ${kind}, ${amount}, ${nextAt}, ${clock},
        ${weekdays}::smallint[], ${measure}, ${stoppedAt})`,
  );
  return (await lockOrder(tx, { networkId, id }))!;
}

function termsOf({ kind, takeBackAt, clock, weekdays, measure }: NewOrder['order'], at: Date, timeZone: string) {
  const none = { nextAt: null, clock: null, weekdays: null, measure: null };
  if (kind === 'temporary') {
    const nextAt = new Date(need(takeBackAt, 'takeBackAt'));
    const byMs = nextAt.getTime() - at.getTime();
    if (byMs <= 0 || byMs > YEAR_MS)
      throw new CallError('INVALID_INPUT', { fields: { takeBackAt: STANDING_ORDER_TEXTS.wrongUntil } });
    return { ...none, nextAt };
  }
  if (kind === 'floor') return { ...none, measure: need(measure, 'measure') };
  const refill = {
    clock: need(clock, 'clock'),
    weekdays: need(weekdays?.length === 0 ? undefined : weekdays, 'weekdays'),
  };
  return { ...none, ...refill, nextAt: refillAfter(at, refill, timeZone) };
}

function need<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new CallError('INVALID_INPUT', { fields: { [field]: STANDING_ORDER_TEXTS.missing } });
  return value;
}

/** A clock time that a day skips runs after the gap; a repeated one runs once. */
export function refillAfter(
  at: Date,
  { clock, weekdays }: { readonly clock: string; readonly weekdays: readonly number[] },
  timeZone: string,
): Date {
  const plan = { times: [clock], weekdays, daysOff: [], daysOn: [], opensAt: null, closesBefore: 0 };
  return clockSlotAfter(at, plan, timeZone)!.drawsAt;
}

async function giveNow(services: Services, tx: Tx, actor: Actor, { accountId: targetId, amount, nextAt }: OrderRow) {
  const note = STANDING_ORDER_NOTES.given(timeWords(nextAt!, services.timeZone));
  const terms = { direction: 'give', note, mayIssue: false, isList: false } as const;
  const [moved] = await moveCredits(services, tx, actor, [{ targetId, amount }], terms);
  return moved!;
}

/** The account is below the caller. */
export async function endStandingOrder(services: Services, call: Call<Actor>, orderId: string): Promise<void> {
  const { actor } = call;
  await runCommand(services, call, async (tx, at) => {
    const [order] = await tx.query<OrderRow>(
      sql`select ${ORDER_COLUMNS} from ${ordersIn(networkOrColumnSql(singleNetworkOf(actor), 'a.network_id'))}
        where o.id = ${orderId} and ${inSubtree('a', actor)} and a.id <> ${actor.id} for update of o`,
    );
    if (!order) throw new CallError('NOT_FOUND');
    await enterNetwork(tx, order.networkId);
    if (order.endedAt) throw new CallError('RULE_REFUSED', { message: STANDING_ORDER_TEXTS.alreadyEnded });
    await writeEnd(tx, order, { at, by: actor.id, ending: STANDING_ORDER_REASONS.byHand });
    return {
      result: undefined,
      subject: STANDING_ORDER_SUBJECTS.ended(STANDING_ORDER_KINDS[order.kind], order.username),
      detail: { standingOrder: order.id, accountId: order.accountId },
    };
  });
}
