import { newPassword } from '@drawhouse/contract/accounts';
import type { Role } from '@drawhouse/contract/primitives';
import { dictionary } from '@zxcvbn-ts/language-common';
import { CallError } from '../http/errors.ts';
import { hashPassword, inTurn } from './password.ts';

/** New passwords may not be among this many of the most common ones. */
const COMMON = 3_000;
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, COMMON));

/** Checks a new password for a role: its length, and that it is not one of the most common. Throws a CallError that names `field`. */
export function requireGoodPassword(password: string, role: Role, field: string): void {
  const parsed = newPassword(role).safeParse(password);
  const problem = parsed.success
    ? COMMON_PASSWORDS.has(password.toLowerCase()) && 'This is one of the most common passwords. Choose another'
    : parsed.error.issues[0]!.message;
  if (problem) throw new CallError('INVALID_INPUT', { fields: { [field]: problem } });
}

/** Checks a new password that the account `byId` gives to one of a role, and hashes it. Throws a CallError that names `field`. */
export async function hashNewPassword(password: string, role: Role, field: string, byId: string): Promise<string> {
  requireGoodPassword(password, role, field);
  return inTurn({ lane: 'session', key: byId }, () => hashPassword(password));
}
