import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import type { Call } from '../http/handler.ts';
import { verifyPassword } from './password.ts';
import { clearAttempts, countAttempt } from './throttle.ts';

/** Asks for the actor's own password again, counted by the same throttle as signing in. Throws WRONG_PASSWORD or THROTTLED. */
export async function requirePassword(
  services: Services,
  { actor, origin }: Call<Actor>,
  password: string,
  field = 'password',
): Promise<void> {
  await countAttempt(services, actor.username, origin.ip);
  const [row] = await services.db.query<{ password_hash: string }>('select password_hash from accounts where id = $1', [
    actor.id,
  ]);
  if (!(await verifyPassword(password, row?.password_hash ?? null)))
    throw new CallError('WRONG_PASSWORD', { fields: { [field]: 'The password is wrong' } });
  await clearAttempts(services, actor.username, origin.ip);
}
