import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../services.ts';
import { addressKey } from '../http/address.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { attempt } from './attempts.ts';
import type { Count } from './attempts.ts';
import { hasSignedInFrom, rememberedSince } from './known-addresses.ts';
import { inTurn, verifyPassword } from './password.ts';
import { sql } from '../db/sql.ts';

/**
 * Requires the actor's own password. Failures are counted as those of sign-ins are, by themselves; checks of one account run one after the
 * other. Returns the hash that matched. Throws WRONG_PASSWORD that names the field, THROTTLED or NOT_READY.
 */
export async function requirePassword(
  services: Services,
  { actor, origin }: Call<Actor>,
  password: string,
  field = 'password',
): Promise<string> {
  const { db, clock } = services;
  const address = addressKey(origin.ip);
  const [row] = await db.query<{ known: boolean }>(
    `select ${hasSignedInFrom('id', '$2', '$3')} as known from accounts where id = $1`,
    [actor.id, address, rememberedSince(clock.now())],
  );
  // Not the count of sign-ins there: whoever guesses at the name behind the same address keeps nobody signed in from work.
  const counts: Count[] = [{ scope: 'pair', subject: `${actor.id} ${address} in session` }];
  if (!row?.known) counts.push({ scope: 'session', subject: actor.id });
  const as = { networkId: actor.networkId, accountId: actor.id, username: actor.username, origin };
  let hash: string | null = null;
  const right = await inTurn({ lane: 'session', key: actor.id }, () =>
    attempt(services, counts, as, async () => {
      // Read once it is its turn: a password that was replaced while this waited counts no more.
      hash = await passwordHashOf(db, actor.id);
      return verifyPassword(password, hash);
    }),
  );
  if (hash === null || !right) throw wrongPassword(field);
  return hash;
}

async function passwordHashOf(on: Queryable, id: string): Promise<string | null> {
  const [row] = await on.query<{ password_hash: string }>(sql`select password_hash from accounts where id = ${id}`);
  return row?.password_hash ?? null;
}

/** That the actor's own password is wrong, by the field that it was typed into. */
export function wrongPassword(field: string): CallError {
  return new CallError('WRONG_PASSWORD', { fields: { [field]: 'The password is wrong' } });
}
