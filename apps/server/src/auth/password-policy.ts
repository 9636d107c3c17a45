import { newPassword } from '@drawhouse/contract/accounts';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordOwner } from '../accounts/password-owner.ts';
import { CallError } from '../http/errors.ts';
import { hashPassword, inTurn, verifyPassword } from './password.ts';

/** New passwords may not be among this many of the most common ones. */
const COMMON = 3_000;
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, COMMON));

/** What is said of a new password that is the old one. */
export const SAME_PASSWORD = 'This is the password already. Choose another';

/**
 * Checks a new password for its account: long enough for the role, not one of the most common, and not the username (both whatever
 * the case). Throws a CallError that names `field`.
 */
export function requireGoodPassword(password: string, owner: PasswordOwner, field: string): void {
  const problem = problemOf(password, owner);
  if (problem !== null) throw new CallError('INVALID_INPUT', { fields: { [field]: problem } });
}

/**
 * Checks a new password that the account `byId` gives, also that it is not the one that it replaces, and hashes it. Throws a CallError
 * that names `field`.
 */
export async function hashNewPassword(
  password: string,
  owner: PasswordOwner,
  byId: string,
  field = 'password',
): Promise<string> {
  requireGoodPassword(password, owner, field);
  return inTurn({ lane: 'session', key: byId }, async () => {
    if (owner.oldHash !== undefined && (await verifyPassword(password, owner.oldHash)))
      throw new CallError('INVALID_INPUT', { fields: { [field]: SAME_PASSWORD } });
    return hashPassword(password);
  });
}

function problemOf(password: string, { role, username }: PasswordOwner): string | null {
  const parsed = newPassword(role).safeParse(password);
  if (!parsed.success) return parsed.error.issues[0]!.message;
  const lower = password.toLowerCase();
  if (COMMON_PASSWORDS.has(lower)) return 'This is one of the most common passwords. Choose another';
  if (lower === username.toLowerCase()) return 'The password may not be the username. Choose another';
  return null;
}
