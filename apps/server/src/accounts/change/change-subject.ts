import type { Account } from '@drawhouse/contract/accounts/accounts';
import { pointsWords, changeOf, percentWords } from '../../activity/append-activity.ts';
import type { Change } from '@drawhouse/contract/activity/activity';

const GAMES_NAMED = 3;

interface ChangedField {
  readonly name: string;
  readonly how: string;
}

/** For example `Changed commission of retailer anita from 2 to 3, note`. Never includes passwords or note text. */
export function changeSubject(before: Account, after: Account, passwordChanged: boolean): string {
  const who = `${after.role} ${after.username}`;
  const fields = changedFields(before, after, passwordChanged);
  const all = fields.map(({ name, how }) => name + how);
  if (before.userStatus !== after.userStatus) {
    const toggled = `${after.userStatus ? 'Activated' : 'Deactivated'} ${who}`;
    return all.length > 0 ? `${toggled}; changed ${all.join(', ')}` : toggled;
  }
  const [first] = fields;
  if (!first) return `Saved ${who} without changes`;
  return [`Changed ${first.name} of ${who}${first.how}`, ...all.slice(1)].join(', ');
}

function roleWords({ factorRoles = [] }: Account): string | null {
  return factorRoles.length === 0 ? null : factorRoles.join(', ');
}

function changedFields(before: Account, after: Account, passwordChanged: boolean): ChangedField[] {
  const fields: ChangedField[] = [];
  const compare = (name: string, from: string | number | undefined, to: string | number | undefined): void => {
    if (from !== to) fields.push({ name, how: ` from ${from} to ${to}` });
  };
  compare('commission', before.commission, after.commission);
  compare('commission ceiling', before.commissionCeiling, after.commissionCeiling);
  compare(
    'table line',
    pointsWords(before.tableLine ?? null) ?? 'none',
    pointsWords(after.tableLine ?? null) ?? 'none',
  );
  compare('daily limit', pointsWords(before.dailyLimit) ?? 'none', pointsWords(after.dailyLimit) ?? 'none');
  compare('calls by token alone', tokenWords(before.tokenSessions) ?? '', tokenWords(after.tokenSessions) ?? '');
  compare('roles with a second factor', roleWords(before) ?? 'none', roleWords(after) ?? 'none');
  compare('remembered devices', deviceWords(before) ?? 'refused', deviceWords(after) ?? 'refused');
  compare('own password before any call', firstWords(before) ?? 'no', firstWords(after) ?? 'no');
  compare('test network', testWords(before) ?? 'no', testWords(after) ?? 'no');
  compare('reference', before.refId?.username, after.refId?.username);
  const games = gamesChange(before.games ?? [], after.games ?? []);
  if (games !== '') fields.push({ name: 'games', how: ` (${games})` });
  if (before.note !== after.note) fields.push({ name: 'note', how: '' });
  if (passwordChanged) fields.push({ name: 'password', how: '' });
  return fields;
}

type Games = NonNullable<Account['games']>;

function gamesChange(before: Games, after: Games): string {
  const missing = (from: Games, among: Games): string => {
    const ids = new Set(among.map((game) => game._id));
    return some(from.filter((game) => !ids.has(game._id)).map((game) => game.gameName));
  };
  const [added, removed] = [missing(after, before), missing(before, after)];
  return [added && `added ${added}`, removed && `removed ${removed}`].filter(Boolean).join('; ');
}

function some(names: readonly string[]): string {
  const left = names.length - GAMES_NAMED;
  return left > 0 ? `${names.slice(0, GAMES_NAMED).join(', ')} and ${left} more` : names.join(', ');
}

const FIELDS: readonly (readonly [what: string, words: (account: Account) => string | null])[] = [
  ['Reference', ({ refId }) => refId?.username ?? null],
  ['Commission', ({ commission }) => percentWords(commission)],
  ['Commission ceiling', ({ commissionCeiling }) => percentWords(commissionCeiling ?? null)],
  ['Table line', ({ tableLine }) => pointsWords(tableLine ?? null)],
  ['Daily limit', ({ dailyLimit }) => pointsWords(dailyLimit)],
  ['Calls by token alone', ({ tokenSessions }) => tokenWords(tokenSessions)],
  ['Roles with a second factor', roleWords],
  ['Own password before any call', firstWords],
  ['Remembered devices', deviceWords],
  ['Test network', testWords],
  ['Games', ({ games }) => games?.map(({ gameName }) => gameName).join(', ') || null],
  ['Note', ({ note }) => note || null],
  ['Status', ({ userStatus }) => (userStatus ? 'Active' : 'Deactive')],
];

function deviceWords({ rememberDevices }: Account): string | null {
  return rememberDevices === true ? 'allowed' : null;
}

function firstWords({ passwordFirst }: Account): string | null {
  return passwordFirst === true ? 'yes' : null;
}

function testWords({ testNetwork }: Account): string | null {
  return testNetwork === true ? 'yes' : null;
}

function tokenWords(allowed: boolean | undefined): string | null {
  if (allowed === undefined) return null;
  return allowed ? 'Allowed' : 'Refused';
}

/** Null `before`: created. Null `after`: deleted. */
export function accountChanges(before: Account | null, after: Account | null): Change[] {
  const of = (after ?? before)!.username;
  return FIELDS.flatMap(([what, words]) => changeOf(what, before && words(before), after && words(after), of));
}
