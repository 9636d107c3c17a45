import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import type { Services } from '../services.ts';
import { addressKey } from '../http/address.ts';
import type { Origin } from '../http/handler.ts';
import { giveBack, reserve } from './attempts.ts';
import type { Count } from './attempts.ts';
import { requireGoodPassword } from './password-policy.ts';
import { hashPassword, inTurn } from './password.ts';

/**
 * Checks and hashes the password of somebody who signs up. Each sign-up of an address counts, since each makes an account or tells that a
 * name is taken. Throws a CallError that names `password`, THROTTLED or NOT_READY.
 */
export async function hashForSignUp(
  services: Services,
  { username, password }: { username: string; password: string },
  origin: Origin,
): Promise<string> {
  requireGoodPassword(password, { username }, 'password');
  const address = addressKey(origin.ip);
  const counts: Count[] = [{ scope: 'signup', subject: address }];
  return inTurn({ lane: 'stranger', key: address }, async () => {
    await reserve(services, counts, { networkId: ROOT_NETWORK, accountId: null, username, origin });
    try {
      return await hashPassword(password);
    } catch (error) {
      await giveBack(services, counts, false);
      throw error;
    }
  });
}
