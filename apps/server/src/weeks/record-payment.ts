import { PAYMENT_METHODS, type PaymentDirection, type PaymentMethod } from '@drawhouse/contract/weeks/week-payments';
import { pointsOf, pointsText, type Hundredths } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { once } from '../activity/idempotency.ts';
import { runCommand, type LoggedPart } from '../activity/run-command.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { inSubtreeEver } from '../platform/db/visibility-predicate.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { requirePairs, type Pair } from './pairs.sql.ts';
import { WEEK_PAYMENTS, WEEK_SUBJECTS, WEEK_TEXTS } from './weeks-texts.ts';

export interface Payment {
  readonly amount: Hundredths;
  readonly direction: PaymentDirection;
  readonly method: PaymentMethod;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
}

/** Records money paid between an account below the caller and its parent. Once per Idempotency-Key. */
export async function recordPayment(
  services: Services,
  call: Call<Actor>,
  { accountId, ...payment }: Payment & { readonly accountId: string },
): Promise<{ paymentId: string }> {
  const { amount, direction, method, reference, note } = payment;
  return runCommand(services, call, async (tx, at) => {
    const request = ['week-payment', accountId, String(amount), direction, method, reference ?? null, note ?? null];
    let logged: LoggedPart | undefined;
    let guarded: GuardedAct | undefined;
    const { answer } = await once(tx, call, at, request, async () => {
      const [pair] = await requirePairs(tx, call.actor, [accountId], () => 'accountId');
      const paymentId = services.newId();
      logged = await insertPayment(tx, call.actor, pair!, { ...payment, id: paymentId, at });
      guarded = { kind: 'payment', networkId: pair!.networkId, amount };
      return { paymentId };
    });
    return { result: answer, subject: null, more: logged ? [logged] : [], guarded: guarded && [guarded] };
  });
}

/** Part of a larger command, which logs the returned part. */
export async function insertPayment(
  tx: Tx,
  actor: Actor,
  { id: accountId, parentId, networkId, username }: Pick<Pair, 'id' | 'parentId' | 'networkId' | 'username'>,
  payment: Payment & { readonly id: string; readonly at: Date; readonly reverses?: string },
): Promise<LoggedPart> {
  const { id, at, amount, direction, method, reference = '', note = '', reverses } = payment;
  const incoming = direction === 'in';
  await tx.query(
    sql`insert into week_payments (network_id, id, at, account_id, parent_id, actor_id, amount, incoming, method, reference, note, reverses)
      values (${networkId}, ${id}, ${at}, ${accountId}, ${parentId}, ${actor.id}, ${amount}, ${incoming}, ${method}, ${reference},
        ${note}, ${reverses ?? null})`,
  );
  const points = pointsText(amount);
  const methodWord = PAYMENT_METHODS[method].toLowerCase();
  const subject = incoming ? WEEK_SUBJECTS.received : WEEK_SUBJECTS.paid;
  return {
    subject: reverses ? WEEK_SUBJECTS.reversed(points, username) : subject(points, username, methodWord),
    detail: {
      paymentId: id,
      accountId,
      parentId,
      amount: pointsOf(amount),
      direction,
      method,
      reference,
      note,
      reverses,
    },
    changes: [
      ...changeOf(WEEK_PAYMENTS[direction](username), null, WEEK_SUBJECTS.inWords(points, methodWord)),
      ...changeOf('Reference', null, reference || null),
      ...changeOf('Note', null, note || null),
    ],
  };
}

interface Stored {
  readonly amount: bigint;
  readonly incoming: boolean;
  readonly method: PaymentMethod;
  readonly reference: string;
  readonly reverses: string | null;
  readonly account_id: string;
  readonly parent_id: string;
  readonly network_id: number;
  readonly username: string;
}

/** Adds a counter-entry at the present time, so closed weeks stay as they are. */
export async function reversePayment(
  services: Services,
  call: Call<Actor>,
  { paymentId, note }: { readonly paymentId: string; readonly note: string | undefined },
): Promise<{ paymentId: string }> {
  const { actor } = call;
  return runCommand(services, call, async (tx, at) => {
    let logged: LoggedPart | undefined;
    let guarded: GuardedAct | undefined;
    const { answer } = await once(tx, call, at, ['week-payment-reversal', paymentId, note ?? null], async () => {
      const original = await requireReversible(tx, actor, paymentId);
      const id = services.newId();
      logged = await insertPayment(
        tx,
        actor,
        {
          id: original.account_id,
          parentId: original.parent_id,
          networkId: original.network_id,
          username: original.username,
        },
        {
          id,
          at,
          amount: original.amount,
          direction: original.incoming ? 'out' : 'in',
          method: original.method,
          reference: original.reference,
          note,
          reverses: paymentId,
        },
      );
      guarded = { kind: 'payment', networkId: original.network_id, amount: original.amount };
      return { paymentId: id };
    });
    return { result: answer, subject: null, more: logged ? [logged] : [], guarded: guarded && [guarded] };
  });
}

async function requireReversible(tx: Tx, actor: Actor, paymentId: string): Promise<Stored> {
  const network = networkOrColumnSql(singleNetworkOf(actor), 'a.network_id');
  const [original] = await tx.query<Stored>(
    sql`select p.amount, p.incoming, p.method, p.reference, p.reverses, p.account_id, p.parent_id, p.network_id, a.username
      from accounts a join week_payments p on p.network_id = ${network} and p.account_id = a.id
      where p.id = ${paymentId} and a.id <> ${actor.id} and ${inSubtreeEver('a', actor)} for no key update of a`,
  );
  if (!original) throw new CallError('NOT_FOUND', { fields: { paymentId: WEEK_TEXTS.noPayment } });
  if (original.reverses !== null) throw new CallError('RULE_REFUSED', { message: WEEK_TEXTS.isReversal });
  // Under the account's lock, so only one of two concurrent reversals passes.
  const reversals = await tx.query(
    sql`select from week_payments where network_id = ${original.network_id} and reverses = ${paymentId}`,
  );
  if (reversals.length > 0) throw new CallError('ALREADY_REVERSED', { message: WEEK_TEXTS.alreadyReversed });
  return original;
}
