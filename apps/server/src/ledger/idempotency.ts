import { createHash } from 'node:crypto';
import type { Author } from '../activity/run-command.ts';
import type { Tx } from '../db/database.ts';
import { CallError } from '../http/errors.ts';
import type { Call } from '../http/handler.ts';

/**
 * Makes `act` happen once per Idempotency-Key of a call: the same key with the same request answers the first result again, the same key with
 * another request is refused with IDEMPOTENCY_CONFLICT. Without a key it simply acts. A second request at the same moment
 * waits for the first. A repeated answer is marked as one. Keys belong to one account and are kept for ever; passwords are never part of `request`.
 */
export async function once<T extends object>(
  tx: Tx,
  call: Call<Author>,
  at: Date,
  request: unknown,
  act: () => Promise<T>,
): Promise<{ answer: T; repeated: boolean }> {
  const { networkId, id: accountId } = call.actor;
  const key = call.idempotencyKey;
  if (key === undefined) return { answer: await act(), repeated: false };
  if (key.length === 0 || key.length > 200)
    throw new CallError('INVALID_INPUT', { fields: { 'Idempotency-Key': 'Use 1 to 200 characters' } });
  const hash = createHash('sha256').update(JSON.stringify(request)).digest();
  const [fresh] = await tx.query(
    `insert into idempotency_keys (network_id, account_id, key, request_hash, at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning 1 as fresh`,
    [networkId, accountId, key, hash, at],
  );
  if (fresh) {
    const answer = await act();
    await tx.query('update idempotency_keys set answer = $4 where network_id = $1 and account_id = $2 and key = $3', [
      networkId,
      accountId,
      key,
      JSON.stringify(answer),
    ]);
    return { answer, repeated: false };
  }
  const [first] = await tx.query<{ request_hash: Buffer; answer: T }>(
    'select request_hash, answer from idempotency_keys where network_id = $1 and account_id = $2 and key = $3',
    [networkId, accountId, key],
  );
  if (!first!.request_hash.equals(hash)) throw new CallError('IDEMPOTENCY_CONFLICT');
  call.markRepeated();
  return { answer: first!.answer, repeated: true };
}
