import { hundredthsIn, hundredthsOf, pointsOf, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import type { closeWeeks as closeRoute, CreditAction } from '@drawhouse/contract/weeks/close-weeks';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { creditOfClosing, leftOfClosing } from '@drawhouse/rules/records/week-balance';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { once } from '../activity/idempotency.ts';
import { runCommand, type LoggedPart } from '../activity/run-command.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import { singleNetwork } from '../platform/db/cross-network-sql.ts';
import { guardedMoves, moveCredits } from '../credit/transfer-credit.ts';
import { balanceOf } from '../ledger/wallets.ts';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { requireUndisputed } from './add-note.ts';
import { storedDays } from './pair-records.sql.ts';
import { requirePairs, type Pair } from './pairs.sql.ts';
import { readOpenWeeks, weekOf, type AccountWeek, type Week, type WeekCalendar } from './read-week.ts';
import { insertPayment } from './record-payment.ts';
import { WEEK_SUBJECTS, WEEK_TEXTS } from './weeks-texts.ts';

type ClosingOrder = RouteParsed<typeof closeRoute>['body'];
type Line = ClosingOrder['lines'][number];

/** In points. */
interface ClosedLine {
  readonly accountId: string;
  readonly balance: number;
  readonly left: number;
  readonly credit: number;
}

/**
 * Weeks of children of the caller with their earlier open weeks, all or none, once per Idempotency-Key. Payments and
 * credit transfers belong to today's week. Asks for the password.
 */
export async function closeWeeks(
  services: Services,
  call: Call<Actor>,
  firstWeekday: WeekCalendar['firstWeekday'],
  order: ClosingOrder,
): Promise<{ results: ClosedLine[] }> {
  await requirePassword(services, call, order.password);
  const { actor } = call;
  const { day, lines, credit, refillTo, note } = order;
  if (credit === 'refill' && refillTo === undefined)
    throw new CallError('INVALID_INPUT', { fields: { refillTo: WEEK_TEXTS.refillMissing } });
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const guarded: GuardedAct[] = [];
    const request = ['close-weeks', day, JSON.stringify(lines), credit, refillTo ?? null, note ?? null];
    const { answer } = await once(tx, call, at, request, async () => {
      const week = weekOf({ at, timeZone: services.timeZone, firstWeekday }, day);
      if (week.to >= week.today) throw new CallError('RULE_REFUSED', { message: WEEK_TEXTS.notOver(week.to) });
      const pairs = await requireChildren(tx, actor, lines);
      const closed = await closeEach(services, tx, { actor, at, week, pairs, order, more });
      const { moved, transfers } = await moveWanted(services, tx, { actor, pairs, week, credit, refillTo, more });
      guarded.push(...actsOf(actor, week, pairs, lines, transfers));
      const results = lines.map(({ accountId, payment }, nth) => {
        const { balance, termsToday, afterwards } = closed[nth]!;
        const amount = payment ? hundredthsOf(payment.sum)! : 0n;
        const received = payment?.direction === 'in' ? amount : -amount;
        const given = moved.get(accountId) ?? 0n;
        return {
          accountId,
          balance: pointsOf(balance),
          left: pointsOf(
            leftOfClosing(
              balance,
              { received: afterwards.received + received, given: afterwards.given + given },
              termsToday.share === null,
            ),
          ),
          credit: pointsOf(given),
        };
      });
      return { results };
    });
    return { result: answer, subject: null, more, guarded };
  });
}

function actsOf(
  actor: Actor,
  { from, to }: Week,
  pairs: readonly Pair[],
  lines: readonly Line[],
  transfers: readonly WeekTransfer[],
): GuardedAct[] {
  const paid = lines.reduce((sum, { payment }) => sum + (payment ? hundredthsOf(payment.sum)! : 0n), 0n);
  const ruledBy = [...new Set(pairs.map(({ networkId }) => networkId))];
  const total = transfers.reduce((sum, { amount }) => sum + amount, 0n);
  const subject = pairs.length === 1 ? {} : { subject: WEEK_SUBJECTS.closedMany(pairs.length, from, to) };
  const act = { networkId: singleNetwork(ruledBy) ?? ROOT_NETWORK, ruledBy, ...subject };
  return [
    { ...act, kind: 'week' },
    ...(paid > 0n ? [{ ...act, kind: 'payment', amount: paid } as const] : []),
    ...(total > 0n ? guardedMoves(actor, transfers, total).map((moves) => ({ ...moves, ...subject })) : []),
  ];
}

/** Only the direct parent closes a week: the credit moves between both. */
async function requireChildren(tx: Tx, actor: Actor, lines: readonly Line[]): Promise<Pair[]> {
  const pairs = await requirePairs(
    tx,
    actor,
    lines.map(({ accountId }) => accountId),
    (nth) => `lines.${nth}.accountId`,
  );
  const stranger = pairs.findIndex(({ parentId }) => parentId !== actor.id);
  if (stranger >= 0)
    throw new CallError('NOT_FOUND', { fields: { [`lines.${stranger}.accountId`]: WEEK_TEXTS.notDirectlyBelow } });
  return pairs;
}

interface Closing {
  readonly actor: Actor;
  readonly at: Date;
  readonly week: Week;
  readonly pairs: readonly Pair[];
  readonly order: ClosingOrder;
  readonly more: LoggedPart[];
}

async function closeEach(services: Services, tx: Tx, closing: Closing): Promise<AccountWeek[]> {
  const { actor, at, week, pairs, order, more } = closing;
  const openOf = await readOpenOf(tx, pairs, week, services.timeZone);
  const closed: AccountWeek[] = [];
  for (const [nth, pair] of pairs.entries()) {
    const { expectedBalance, payment } = order.lines[nth]!;
    const open = openOf.get(pair.id)!;
    const last = open.at(-1);
    if (!last) throw refusedLine(nth, WEEK_TEXTS.alreadyClosed(pair.username));
    if (last.balance !== hundredthsIn(expectedBalance))
      throw refusedLine(nth, WEEK_TEXTS.balanceChanged(pair.username, pointsText(last.balance)));
    requireUndisputed(pair, open, nth);
    for (const each of open) more.push(await insertClosing(services, tx, closing, pair, each));
    if (payment) {
      const amount = hundredthsOf(payment.sum)!;
      const { method, direction, reference } = payment;
      const details = { id: services.newId(), at, amount, direction, method, reference, note: order.note };
      more.push(await insertPayment(tx, actor, pair, details));
    }
    closed.push(last);
  }
  return closed;
}

function refusedLine(nth: number, text: string): CallError {
  return new CallError('RULE_REFUSED', { message: text, fields: { [`lines.${nth}.expectedBalance`]: text } });
}

async function readOpenOf(
  tx: Tx,
  pairs: readonly Pair[],
  week: Week,
  timeZone: string,
): Promise<ReadonlyMap<string, readonly AccountWeek[]>> {
  const openOf = new Map<string, readonly AccountWeek[]>();
  // A superadmin's children are in separate networks.
  for (const [networkId, some] of Map.groupBy(pairs, (pair) => pair.networkId)) {
    const { chain, role } = some[0]!;
    const siblings = { networkId, above: chain.slice(0, -1), ids: some.map(({ id }) => id), role };
    for (const each of await readOpenWeeks(tx, siblings, week, timeZone)) openOf.set(...each);
  }
  return openOf;
}

async function insertClosing(
  services: Services,
  tx: Tx,
  { actor, at, order: { note = '' } }: Closing,
  { id: accountId, parentId, networkId, username }: Pair,
  { from, to, carried, late, lateDays, balance, terms, days }: AccountWeek,
): Promise<LoggedPart> {
  const id = services.newId();
  const stored = storedDays([...lateDays, ...days.map(({ day, figures }) => [day, figures] as const)]);
  await tx.query(
    sql`insert into week_closings (network_id, id, at, account_id, parent_id, actor_id, from_day, to_day, carried, late, balance, share,
        commission_with_week, days, note)
      values (${networkId}, ${id}, ${at}, ${accountId}, ${parentId}, ${actor.id}, ${from}, ${to}, ${carried}, ${late}, ${balance},
        ${terms.share}, ${terms.commissionWithWeek}, ${stored}::jsonb, ${note})`,
  );
  return {
    subject: WEEK_SUBJECTS.closed(username, from, to, pointsText(balance)),
    detail: { closingId: id, accountId, parentId, from, to, balance: pointsOf(balance), note },
    changes: changeOf(WEEK_SUBJECTS.balanceOf(username, from), null, pointsText(balance)),
  };
}

interface Wanted extends Pick<Closing, 'actor' | 'pairs' | 'week' | 'more'> {
  readonly credit: CreditAction;
  readonly refillTo: number | undefined;
}

interface WeekTransfer {
  readonly target: { readonly id: string; readonly network_id: number };
  readonly transferId: string;
  readonly amount: Hundredths;
}

/** Credit given to each account; below zero, taken back. */
async function moveWanted(
  services: Services,
  tx: Tx,
  { actor, pairs, week, credit, refillTo, more }: Wanted,
): Promise<{ readonly moved: ReadonlyMap<string, Hundredths>; readonly transfers: readonly WeekTransfer[] }> {
  const moved = new Map<string, Hundredths>();
  const transfers: WeekTransfer[] = [];
  if (credit === 'stay') return { moved, transfers };
  const wanted = credit === 'refill' ? hundredthsOf(refillTo!)! : 0n;
  for (const { id, networkId } of pairs)
    moved.set(id, creditOfClosing(await balanceOf(tx, networkId, `credit:${id}`), wanted));
  const note = WEEK_TEXTS.transferNote(week.from, week.to);
  for (const direction of ['takeBack', 'give'] as const) {
    const moves = [...moved]
      .map(([targetId, change]) => ({ targetId, amount: direction === 'give' ? change : -change }))
      .filter(({ amount }) => amount > 0n);
    if (moves.length === 0) continue;
    const done = await moveCredits(services, tx, actor, moves, { direction, note, mayIssue: false, isList: true });
    more.push(...done.map(({ logged }) => logged));
    transfers.push(...done.map(({ target, transferId }, nth) => ({ target, transferId, amount: moves[nth]!.amount })));
  }
  return { moved, transfers };
}
