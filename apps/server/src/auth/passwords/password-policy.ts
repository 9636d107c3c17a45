import { newPassword, PASSWORD_LENGTH } from '@drawhouse/contract/accounts/accounts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordContext } from '../../accounts/read/own-account.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import { hashPassword, inTurn, verifyPassword } from './password.ts';
import { AUTH_TEXTS } from '../auth-texts.ts';

/** Lowercase, long enough: 18,000 of the list's 49,000. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.min),
);

/** Local passwords often use seasons, cities, product, roles or games. */
const HOUSE_WORDS =
  'drawhouse draw house welcome changeme secret login player user retailer distributor ' +
  'superdistributor superadmin admin shop office owner manager cash credit points game games ' +
  'spring summer autumn winter fall monsoon january february march april june july august september october november december ' +
  'monday tuesday wednesday thursday friday saturday sunday diwali holi eid christmas newyear ' +
  'kolkata calcutta mumbai bombay delhi newdelhi chennai madras bangalore bengaluru hyderabad pune ' +
  'ahmedabad surat jaipur lucknow kanpur nagpur indore bhopal patna ranchi ' +
  'guwahati bhubaneswar goa kochi india bharat dhaka colombo kathmandu karachi lahore dubai london manila nairobi lagos ' +
  'lucky jackpot casino bingo jodi roulette lottery matka satta chance fortune winner cricket kabaddi';

/** Eight random characters take 10^8 guesses; season or city plus year and sign, up to 10^7. */
const LEAST_GUESSES_LOG10 = 7.5;
/** zxcvbn is slower than linear: a tenth of a second at this length. */
const ESTIMATED_LENGTH = 30;

const estimator = new ZxcvbnFactory({
  dictionary: { ...dictionary, house: HOUSE_WORDS.split(' ') },
  graphs: adjacencyGraphs,
});

let breached: BreachedPasswords | undefined;

export function refuseBreached(list: BreachedPasswords | undefined): void {
  breached = list;
}

export async function requireGoodPassword(password: string, owner: PasswordContext, field: string): Promise<void> {
  const problem = passwordProblem(password, owner) ?? ((await breached?.has(password)) ? AUTH_TEXTS.breached : null);
  if (problem !== null) throw new CallError('INVALID_INPUT', { fields: { [field]: problem } });
}

/** Also refuses the current password. */
export async function hashNewPassword(
  password: string,
  owner: PasswordContext,
  byId: string,
  field = 'password',
): Promise<string> {
  await requireGoodPassword(password, owner, field);
  return inTurn({ lane: 'session', key: byId }, async () => {
    if (owner.oldHash !== undefined && (await verifyPassword(password, owner.oldHash)))
      throw new CallError('INVALID_INPUT', { fields: { [field]: AUTH_TEXTS.samePassword } });
    return hashPassword(password);
  });
}

function hashGoodPassword(password: string, byId: string): Promise<string> {
  return inTurn({ lane: 'session', key: byId }, () => hashPassword(password));
}

/** Keeps passwords out of the accounts feature. */
export const accountPasswords = {
  hashNewPassword,
  hashGoodPassword,
  requireGoodPassword: (password: string, owner: PasswordContext): Promise<void> =>
    requireGoodPassword(password, owner, 'password'),
};

/**
 * Returns a sentence, or null if acceptable. The username, in either direction, does not count toward the length.
 * Ignores case and character width.
 */
export function passwordProblem(password: string, { username }: PasswordContext): string | null {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) return parsed.error.issues[0]!.message;
  const [plain, name] = [password, username].map((text) => text.normalize('NFKC').toLowerCase()) as [string, string];
  if (COMMON_PASSWORDS.has(plain)) return AUTH_TEXTS.commonPassword;
  const rest = plain.replaceAll(name, '').replaceAll([...name].toReversed().join(''), '');
  if (rest.length < Math.min(plain.length, PASSWORD_LENGTH.min)) return AUTH_TEXTS.shortPassword(PASSWORD_LENGTH.min);
  const { guessesLog10 } = estimator.check(password.normalize('NFKC').slice(0, ESTIMATED_LENGTH), [username]);
  return guessesLog10 < LEAST_GUESSES_LOG10 ? AUTH_TEXTS.easilyGuessed : null;
}

export function hashFirstPassword(password: string, username: string): Promise<string> {
  const problem = passwordProblem(password, { username });
  if (problem !== null) throw new Error(AUTH_TEXTS.wrongFirstPassword(problem));
  return hashPassword(password);
}
