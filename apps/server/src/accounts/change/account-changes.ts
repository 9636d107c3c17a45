import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Change } from '@drawhouse/contract/activity/activity';
import { changeOf, percentWords, pointsWords } from '../../activity/changes.ts';

const FIELDS: readonly (readonly [what: string, words: (account: Account) => string | null])[] = [
  ['Reference', ({ refId }) => refId?.username ?? null],
  ['Commission', ({ commission }) => percentWords(commission)],
  ['Commission ceiling', ({ commissionCeiling }) => percentWords(commissionCeiling ?? null)],
  ['Table line', ({ tableLine }) => pointsWords(tableLine ?? null)],
  ['Daily limit', ({ dailyLimit }) => pointsWords(dailyLimit)],
  ['Calls by token alone', ({ tokenSessions }) => tokenWords(tokenSessions)],
  ['Games', ({ games }) => games?.map(({ gameName }) => gameName).join(', ') || null],
  ['Note', ({ note }) => note || null],
  ['Status', ({ userStatus }) => (userStatus ? 'Active' : 'Deactive')],
];

export function tokenWords(allowed: boolean | undefined): string | null {
  if (allowed === undefined) return null;
  return allowed ? 'Allowed' : 'Refused';
}

/** Null `before`: newly created. Null `after`: deleted. */
export function accountChanges(before: Account | null, after: Account | null): Change[] {
  const of = (after ?? before)!.username;
  return FIELDS.flatMap(([what, words]) => changeOf(what, before && words(before), after && words(after), of));
}
