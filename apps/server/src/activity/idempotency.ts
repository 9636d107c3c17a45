import { createHash } from 'node:crypto';
import { parseExactly } from '@drawhouse/contract/core/hundredths';
import type { CommandActor } from './run-command.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Call } from '../platform/http/handler.ts';

interface Once {
  readonly networkId: number;
  readonly accountId: string;
  readonly key: string;
  readonly hash: Buffer;
}

interface Answered<T> {
  readonly answer: T;
  readonly repeated: boolean;
}

/**
 * Same key with a different request: throws IDEMPOTENCY_CONFLICT. Concurrent duplicates wait. Keys belong to one
 * account and never expire. `request` never contains passwords.
 */
export async function once<T extends object>(
  tx: Tx,
  call: Call<CommandActor>,
  at: Date,
  request: unknown,
  act: () => Promise<T>,
): Promise<Answered<T>> {
  const name = nameOf(call, request);
  if (!name) return { answer: await act(), repeated: false };
  const answered = await onceNamed(tx, name, at, act);
  if (answered.repeated) call.markRepeated();
  return answered;
}

export type OncePart = <T extends object>(tx: Tx, networkId: number, at: Date, act: () => Promise<T>) => Promise<T>;

/** False if a retry may complete failed parts. */
export interface InParts<T> {
  readonly answer: T;
  readonly isComplete: boolean;
}

/**
 * One transaction per network. Each stores key and partial answer; the caller's network stores the final answer. After
 * an interruption, the same request completes the remaining parts, each once.
 */
export async function runOnceAcrossNetworks<T extends object>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  call: Call<CommandActor>,
  request: unknown,
  act: (part: OncePart) => Promise<InParts<T>>,
): Promise<T> {
  const name = nameOf(call, request);
  if (!name) return (await act((_tx, _networkId, _at, actHere) => actHere())).answer;
  const stored = await db.transaction(async (tx) =>
    (await claim(tx, name, clock.now())) ? null : await answerOf<T>(tx, name),
  );
  if (stored) {
    call.markRepeated();
    return stored;
  }
  const { answer, isComplete } = await act(async (tx, networkId, at, actHere) => {
    const part = await onceNamed(tx, { ...name, networkId }, at, actHere);
    return part.answer;
  });
  if (!isComplete) return answer;
  return db.transaction(async (tx) => {
    // Concurrent duplicates computed equal parts.
    await write(tx, name, answer);
    return (await answerOf<T>(tx, name))!;
  });
}

function nameOf({ actor, guard, idempotencyKey: key }: Call<CommandActor>, request: unknown): Once | undefined {
  if (key === undefined) return undefined;
  if (key.length === 0 || key.length > 200)
    throw new CallError('INVALID_INPUT', { fields: { 'Idempotency-Key': 'Use 1 to 200 characters' } });
  const computed = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const requestHash = guard?.requestHash ?? computed;
  if (guard) guard.requestHash = requestHash;
  const hash = Buffer.from(requestHash, 'hex');
  return { networkId: actor.networkId, accountId: actor.id, key, hash };
}

async function onceNamed<T extends object>(tx: Tx, name: Once, at: Date, act: () => Promise<T>): Promise<Answered<T>> {
  if (!(await claim(tx, name, at))) return { answer: (await answerOf<T>(tx, name))!, repeated: true };
  const answer = await act();
  await write(tx, name, answer);
  return { answer, repeated: false };
}

async function claim(tx: Tx, { networkId, accountId, key, hash }: Once, at: Date): Promise<boolean> {
  const fresh = await tx.query(
    sql`insert into idempotency_keys (network_id, account_id, key, request_hash, at)
      values (${networkId}, ${accountId}, ${key}, ${hash}, ${at})
     on conflict do nothing returning 1 as fresh`,
  );
  return fresh.length > 0;
}

async function answerOf<T extends object>(on: Queryable, { networkId, accountId, key, hash }: Once): Promise<T | null> {
  const [first] = await on.query<{ request_hash: Buffer; answer: string | null }>(
    sql`select request_hash, answer::text from idempotency_keys where network_id = ${networkId} and account_id = ${accountId}
      and key = ${key}`,
  );
  if (!first!.request_hash.equals(hash)) throw new CallError('IDEMPOTENCY_CONFLICT');
  return first!.answer === null ? null : (parseExactly(first!.answer) as T);
}

async function write(tx: Tx, { networkId, accountId, key }: Once, answer: object): Promise<void> {
  await tx.query(
    sql`update idempotency_keys set answer = coalesce(answer, ${JSON.stringify(answer)}::jsonb)
      where network_id = ${networkId} and account_id = ${accountId} and key = ${key}`,
  );
}
