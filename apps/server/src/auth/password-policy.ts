import { newPassword } from '@drawhouse/contract/accounts';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordOwner } from '../accounts/password-owner.ts';
import { CallError } from '../http/errors.ts';
import { hashPassword, verifyPassword } from './password.ts';

/** New passwords may not be among this many of the most common ones. */
const COMMON = 3_000;
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, COMMON));

/** What is said of a new password that is the old one. */
export const SAME_PASSWORD = 'This is the password already. Choose another';

/**
 * Checks a new password for its account and hashes it: long enough for the role, not one of the most common, not the username
 * (both whatever the case), and not the password that it replaces. Throws a CallError that names `field`.
 */
export async function hashNewPassword(password: string, owner: PasswordOwner, field = 'password'): Promise<string> {
  const problem = await problemOf(password, owner);
  if (problem !== null) throw new CallError('INVALID_INPUT', { fields: { [field]: problem } });
  return hashPassword(password);
}

async function problemOf(password: string, { role, username, oldHash }: PasswordOwner): Promise<string | null> {
  const parsed = newPassword(role).safeParse(password);
  if (!parsed.success) return parsed.error.issues[0]!.message;
  const lower = password.toLowerCase();
  if (COMMON_PASSWORDS.has(lower)) return 'This is one of the most common passwords. Choose another';
  if (lower === username.toLowerCase()) return 'The password may not be the username. Choose another';
  if (oldHash !== undefined && (await verifyPassword(password, oldHash))) return SAME_PASSWORD;
  return null;
}
