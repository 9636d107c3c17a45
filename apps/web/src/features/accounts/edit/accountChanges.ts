import { updateBody, type Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { parsePoints } from '../../../lib/format/format.ts';
import { schemaErrors } from '../../../lib/form/schemaErrors.ts';
import type { Level } from '../../../commonTexts.ts';
import { accountBody, type AccountForm } from './accountForm.ts';
import { accountFormTexts } from './accountFormTexts.ts';

const texts = accountFormTexts;

export type AccountChanges = Partial<
  Pick<
    ReturnType<typeof accountBody>,
    'password' | 'commission' | 'commissionCeiling' | 'note' | 'refId' | 'userStatus' | 'games'
  >
> & {
  dailyLimit?: number | null;
  tableLine?: number | null;
  tokenSessions?: boolean;
  factorRoles?: Exclude<Role, 'user'>[];
  passwordFirst?: boolean;
  rememberDevices?: boolean;
  testNetwork?: boolean;
};

/** Leaves the password empty, because it cannot be read. */
export function formOfAccount(account: Account): AccountForm {
  return {
    username: account.username,
    invites: false,
    password: '',
    commission: String(account.commission),
    commissionCeiling: String(account.commissionCeiling ?? ''),
    note: account.note,
    refId: account.refId?._id ?? null,
    userStatus: account.userStatus ? 'active' : 'deactive',
    dailyLimit: account.dailyLimit === null ? '' : String(account.dailyLimit),
    tableLine: account.tableLine == null ? '' : String(account.tableLine),
    tokenSessions: account.tokenSessions ?? true,
    factorRoles: account.factorRoles ?? [],
    passwordFirst: account.passwordFirst ?? false,
    rememberDevices: account.rememberDevices ?? false,
    testNetwork: account.testNetwork ?? false,
    games: account.games?.map((game) => game._id) ?? [],
  };
}

/** Includes the password only if typed. */
export function accountChanges(level: Level, before: AccountForm, after: AccountForm): AccountChanges {
  const [from, to] = [accountBody(level, before), accountBody(level, after)];
  const changes: AccountChanges = {};
  if (to.password !== '') changes.password = to.password;
  if (to.commission !== from.commission) changes.commission = to.commission;
  if (to.commissionCeiling !== from.commissionCeiling) changes.commissionCeiling = to.commissionCeiling;
  if (to.note !== from.note) changes.note = to.note;
  if (to.refId !== from.refId) changes.refId = to.refId;
  if (to.userStatus !== from.userStatus) changes.userStatus = to.userStatus;
  const limit = pointsIn(after.dailyLimit);
  if (level !== 'user' && limit !== pointsIn(before.dailyLimit)) changes.dailyLimit = limit;
  const line = pointsIn(after.tableLine);
  if (level === 'admin' && line !== pointsIn(before.tableLine)) changes.tableLine = line;
  if (level === 'admin' && after.tokenSessions !== before.tokenSessions) changes.tokenSessions = after.tokenSessions;
  if (level === 'admin' && !sameMembers(before.factorRoles, after.factorRoles))
    changes.factorRoles = after.factorRoles as Exclude<Role, 'user'>[];
  if (level === 'admin' && after.rememberDevices !== before.rememberDevices)
    changes.rememberDevices = after.rememberDevices;
  if (level === 'admin' && after.passwordFirst !== before.passwordFirst) changes.passwordFirst = after.passwordFirst;
  if (level === 'admin' && after.testNetwork !== before.testNetwork) changes.testNetwork = after.testNetwork;
  if (!sameMembers(before.games, after.games) && level === 'admin') changes.games = after.games;
  return changes;
}

export function changeErrors(level: Level, before: AccountForm, after: AccountForm): Record<string, string> {
  const errors = schemaErrors(updateBody, accountChanges(level, before, after));
  if (after.commission.trim() === '') errors['commission'] = texts.commissionRequired;
  if (after.note.trim() === '') errors['note'] = texts.noteRequired;
  if (after.refId === null) errors['refId'] = texts.referenceRequired;
  return errors;
}

/** Null for an empty field, NaN for an invalid one. */
function pointsIn(text: string): number | null {
  return text.trim() === '' ? null : (parsePoints(text) ?? Number.NaN);
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}
