import { pointsOf, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import { mayCall } from '@drawhouse/contract/core/permissions';
import { makeStandingOrder, STANDING_ORDER_KINDS } from '@drawhouse/contract/standing-orders/standing-orders';
import { effectivelyActive, type Actor } from '../accounts/authority.ts';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { requireOpenBooks } from '../activity/network-work/closed-books.ts';
import { shareNetworkLock } from '../activity/network-work/network-work.ts';
import { runCommand, type Done, type LoggedPart } from '../activity/run-command.ts';
import { moveCredits } from '../credit/transfer-credit.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { refillAfter } from './change-standing-orders.ts';
import { lockOrder, readGiver, writeEnd, type OrderKey, type OrderRow } from './standing-orders.sql.ts';
import { STANDING_ORDER_NOTES, STANDING_ORDER_REASONS, STANDING_ORDER_SUBJECTS } from './standing-orders-texts.ts';

const MOST_RUNS = 50;

/** The run moves nothing, and the order waits for its next slot. */
const SKIPS = ['INSUFFICIENT_CREDIT', 'DAILY_LIMIT', 'TARGET_INACTIVE'];
/** The run is retried. */
const WAITS = ['NETWORK_RESTORING', 'NOT_READY', 'SESSION_ENDED'];

/**
 * One transaction runs an order and moves it to its next slot, so each slot runs once despite crashes and several
 * servers. Slots missed while no server ran count as one. Returns true if more are due.
 */
export async function runStandingOrders(services: Services): Promise<boolean> {
  const { db, clock } = services;
  const due = await db.query<OrderKey>(
    sql`select o.network_id as "networkId", o.id from standing_orders o
      join accounts a on a.id = o.account_id and a.network_id = o.network_id
      where o.next_at <= ${clock.now()} ${sql.raw(crossNetworkComment('standing'))} order by o.next_at, o.id limit ${MOST_RUNS}`.named(
      'standing-orders-due',
    ),
  );
  const failures: unknown[] = [];
  let ran = 0;
  for (const key of due)
    try {
      if (await runOrder(services, key)) ran += 1;
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, 'Standing orders failed.');
  return ran > 0 && due.length === MOST_RUNS;
}

async function runOrder(services: Services, key: OrderKey): Promise<boolean> {
  const giver = await readGiver(services.db, key);
  if (!giver) return endWithoutGiver(services, key);
  try {
    return await runAsGiver(services, key, giver, (tx, order, at) => runSlot(services, tx, { order, giver, at }));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (WAITS.includes(error.code)) return false;
    if (!SKIPS.includes(error.code)) throw error;
    return runAsGiver(services, key, giver, (tx, order, at) => skipSlot(services, tx, { order, at, error }));
  }
}

type Act = (tx: Tx, order: OrderRow, at: Date) => Promise<Done<boolean>>;

function runAsGiver(services: Services, key: OrderKey, giver: Actor, act: Act): Promise<boolean> {
  return runCommand(services, { actor: giver, origin: NOWHERE }, async (tx, at) => {
    if (key.networkId !== giver.networkId) {
      if (!(await shareNetworkLock(tx, key.networkId))) throw new CallError('NETWORK_RESTORING');
      await requireOpenBooks(tx, key.networkId);
    }
    const order = await lockOrder(tx, key);
    if (!order?.nextAt || order.nextAt > at) return { result: false, subject: null };
    return act(tx, order, at);
  });
}

interface Slot {
  readonly order: OrderRow;
  readonly at: Date;
}

async function runSlot(services: Services, tx: Tx, slot: Slot & { readonly giver: Actor }): Promise<Done<boolean>> {
  const { order, giver, at } = slot;
  const ending = await endingOf(tx, order, giver);
  if (ending !== undefined) return endOrder(tx, order, at, ending);
  const credit = await balanceOf(tx, order.networkId, `credit:${order.accountId}`);
  return order.kind === 'temporary' ? takeBack(services, tx, slot, credit) : refill(services, tx, slot, credit);
}

async function endingOf(tx: Tx, order: OrderRow, giver: Actor): Promise<string | undefined> {
  const { username, parentId, giverId, deletedAt } = order;
  if (deletedAt) return STANDING_ORDER_REASONS.deleted(username);
  if (parentId !== giverId) return STANDING_ORDER_REASONS.moved(username);
  if (!(await effectivelyActive(tx, [giverId])).has(giverId)) return STANDING_ORDER_REASONS.giverGone(order.giver);
  if (!mayCall(makeStandingOrder, giver.permissions)) return STANDING_ORDER_REASONS.noRight(giver.personName);
  return undefined;
}

async function endOrder(tx: Tx, order: OrderRow, at: Date, ending: string): Promise<Done<boolean>> {
  await writeEnd(tx, order, { at, by: null, ending });
  return {
    result: true,
    subject: STANDING_ORDER_SUBJECTS.ended(STANDING_ORDER_KINDS[order.kind], order.username),
    detail: { ...detailOf(order), ending },
  };
}

const detailOf = ({ id, accountId, nextAt }: OrderRow) => ({
  standingOrder: id,
  accountId,
  slot: nextAt?.toISOString(),
});

/** Takes at most what is there. The rest stays in the account's balance. */
async function takeBack(
  services: Services,
  tx: Tx,
  { order, giver, at }: Slot & { readonly giver: Actor },
  credit: Hundredths,
): Promise<Done<boolean>> {
  const amount = credit < order.amount ? credit : order.amount;
  const note = STANDING_ORDER_NOTES.takenBack;
  const logged = await moveOf(services, tx, { order, giver, amount, direction: 'takeBack', note });
  const [moved, all, rest] = [amount, order.amount, order.amount - amount].map((sum) => pointsText(sum));
  const ending =
    amount === order.amount
      ? STANDING_ORDER_REASONS.takenBack(moved!)
      : STANDING_ORDER_REASONS.takenBackPartly(moved!, all!, rest!);
  await writeRun(tx, order, { at, amount });
  await writeEnd(tx, order, { at, by: null, ending });
  return { result: true, ...logged, detail: { ...logged.detail, ending } };
}

async function refill(
  services: Services,
  tx: Tx,
  { order, giver, at }: Slot & { readonly giver: Actor },
  credit: Hundredths,
): Promise<Done<boolean>> {
  const amount = credit < order.amount ? order.amount - credit : 0n;
  const note = STANDING_ORDER_NOTES.refill(pointsText(order.amount));
  const logged = await moveOf(services, tx, { order, giver, amount, direction: 'give', note });
  await writeRun(tx, order, { at, amount });
  await writeNext(services, tx, order, { at, skipped: null });
  return { result: true, ...logged };
}

interface Move {
  readonly order: OrderRow;
  readonly giver: Actor;
  readonly amount: Hundredths;
  readonly direction: 'give' | 'takeBack';
  readonly note: string;
}

async function moveOf(
  services: Services,
  tx: Tx,
  { order, giver, amount, direction, note }: Move,
): Promise<LoggedPart> {
  const detail = detailOf(order);
  if (amount === 0n)
    return { subject: STANDING_ORDER_SUBJECTS.nothing(order.username, STANDING_ORDER_KINDS[order.kind]), detail };
  const moves = [{ targetId: order.accountId, amount }];
  const [moved] = await moveCredits(services, tx, giver, moves, { direction, note, mayIssue: false, isList: false });
  const { logged } = moved!;
  return {
    ...logged,
    subject: STANDING_ORDER_SUBJECTS.moved(logged.subject),
    detail: { ...logged.detail, ...detail, moved: pointsOf(amount) },
  };
}

async function skipSlot(
  services: Services,
  tx: Tx,
  { order, at, error }: Slot & { readonly error: CallError },
): Promise<Done<boolean>> {
  // The account spent credit since the reading, so the take-back is retried.
  if (order.kind === 'temporary') return { result: false, subject: null };
  const credit = await balanceOf(tx, order.networkId, `credit:${order.accountId}`);
  const reason =
    error.code === 'INSUFFICIENT_CREDIT'
      ? STANDING_ORDER_REASONS.lacksCredit(order.giver, pointsText(order.amount - credit))
      : error.message;
  await writeRun(tx, order, { at, amount: 0n });
  await writeNext(services, tx, order, { at, skipped: reason });
  return {
    result: true,
    subject: STANDING_ORDER_SUBJECTS.skipped(order.username, STANDING_ORDER_KINDS[order.kind], reason),
    detail: detailOf(order),
  };
}

async function writeRun(
  tx: Tx,
  { networkId, id }: OrderRow,
  { at, amount }: { at: Date; amount: Hundredths },
): Promise<void> {
  await tx.query(
    sql`update standing_orders set last_at = ${at}, last_amount = ${amount} where network_id = ${networkId} and id = ${id}`,
  );
}

async function writeNext(
  { timeZone }: Services,
  tx: Tx,
  { networkId, id, clock, weekdays }: OrderRow,
  { at, skipped }: { readonly at: Date; readonly skipped: string | null },
): Promise<void> {
  const nextAt = refillAfter(at, { clock: clock!, weekdays: weekdays! }, timeZone);
  await tx.query(
    sql`update standing_orders set next_at = ${nextAt}, skipped = ${skipped} where network_id = ${networkId} and id = ${id}`,
  );
}

async function endWithoutGiver(services: Services, key: OrderKey): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    if (!(await shareNetworkLock(tx, key.networkId))) return false;
    const order = await lockOrder(tx, key);
    if (!order) return false;
    const { subject, detail } = await endOrder(
      tx,
      order,
      services.clock.now(),
      STANDING_ORDER_REASONS.giverGone(order.giver),
    );
    await appendActivity(tx, key.networkId, services, [
      { accountId: null, username: SYSTEM, subject: subject!, origin: NOWHERE, detail },
    ]);
    return true;
  });
}

/** Ends orders whose account was deleted or has another parent. */
export async function endBrokenOrders(services: Services): Promise<void> {
  const broken = await services.db.query<OrderKey>(
    sql`select o.network_id as "networkId", o.id from standing_orders o
      join accounts a on a.id = o.account_id and a.network_id = o.network_id
      where o.ended_at is null and (a.deleted_at is not null or a.parent_id is distinct from o.giver_id)
      ${sql.raw(crossNetworkComment('standing'))}`.named('standing-orders-broken'),
  );
  for (const key of broken)
    await services.db.transaction(async (tx) => {
      if (!(await shareNetworkLock(tx, key.networkId))) return;
      const order = await lockOrder(tx, key);
      if (!order) return;
      const { username, deletedAt } = order;
      const ending = deletedAt ? STANDING_ORDER_REASONS.deleted(username) : STANDING_ORDER_REASONS.moved(username);
      const { subject, detail } = await endOrder(tx, order, services.clock.now(), ending);
      await appendActivity(tx, key.networkId, services, [
        { accountId: null, username: SYSTEM, subject: subject!, origin: NOWHERE, detail },
      ]);
    });
}
