import { newPassword, PASSWORD_LENGTH } from '@drawhouse/contract/accounts/accounts';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordOwner } from '../accounts/password-owner.ts';
import { CallError } from '../http/http-errors.ts';
import { hashPassword, inTurn, verifyPassword } from './password.ts';

/** The common ones of those that are long enough, in small letters: 18,000 of the list's 49,000. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.min),
);

/** What is said of a new password that is the old one. */
export const SAME_PASSWORD = 'This is the password already. Choose another';

/**
 * Checks a new password for its account, by {@link passwordProblem}. Throws a CallError that names `field`.
 */
export function requireGoodPassword(password: string, owner: PasswordOwner, field: string): void {
  const problem = passwordProblem(password, owner);
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

/**
 * What is wrong with a new password, in a sentence that says what would be right; null where nothing is. It has its length without the
 * username too, forwards or backwards, and is none of the common ones; letters count alike in either case and width.
 */
export function passwordProblem(password: string, { username }: PasswordOwner): string | null {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) return parsed.error.issues[0]!.message;
  const [plain, name] = [password, username].map((text) => text.normalize('NFKC').toLowerCase()) as [string, string];
  if (COMMON_PASSWORDS.has(plain)) return 'This is one of the most common passwords. Choose another';
  const beside = plain.replaceAll(name, '').replaceAll([...name].toReversed().join(''), '');
  if (beside.length < Math.min(plain.length, PASSWORD_LENGTH.min))
    return `Use at least ${PASSWORD_LENGTH.min} characters beside the username`;
  return null;
}

/** Hashes the first password of an installation, that of its superadmin. Throws where it is one that is easily guessed. */
export function hashFirstPassword(password: string, username: string): Promise<string> {
  const problem = passwordProblem(password, { username });
  if (problem !== null) throw new Error(`SUPERADMIN_PASSWORD can't be the first password. ${problem}.`);
  return hashPassword(password);
}
