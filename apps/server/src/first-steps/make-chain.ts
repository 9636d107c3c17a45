import type { makeChain as makeChainRoute } from '@drawhouse/contract/first-steps/first-steps';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { hundredthsOf, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import { addAccount } from '../accounts/change/create-account.ts';
import { findAccount } from '../accounts/accounts.sql.ts';
import type { Actor } from '../accounts/authority.ts';
import { once } from '../activity/idempotency.ts';
import { runCommand, type LoggedPart } from '../activity/run-command.ts';
import { hashNewPassword } from '../auth/passwords/password-policy.ts';
import { requirePassword } from '../auth/passwords/confirm-password.ts';
import { moveCredit } from '../credit/transfer-credit.ts';
import { assignGames } from '../games/catalogue/built-in-games.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { FIRST_STEPS_TEXTS } from './first-steps-texts.ts';

type Order = RouteParsed<typeof makeChainRoute>['body'];
type Level = keyof Order['usernames'];

const LEVELS = ROLES.slice(1) as Level[];

/** Makes accounts from admin to player, with credit for both ends, in one transaction. Hashes passwords before it. */
export async function makeChain(services: Services, call: Call<Actor>, order: Order): Promise<Account[]> {
  await requirePassword(services, call, order.password);
  requireDifferentNames(order.usernames);
  const hashes = new Map<Level, string>();
  for (const level of LEVELS) {
    const owner = { username: order.usernames[level] };
    hashes.set(level, await hashNewPassword(order.accountPassword, owner, call.actor.id, 'accountPassword'));
  }
  const { password: _, accountPassword: __, ...request } = order;
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const guarded: GuardedAct[] = [];
    const { answer } = await once(tx, call, at, ['chain', request], async () => {
      const made: Record<string, Account> = {};
      let parentId = call.actor.id;
      for (const level of LEVELS) {
        const account = accountOf(order, level, { parentId, passwordHash: hashes.get(level)! });
        const { created, logged } = await naming(level, () =>
          addAccount(services, tx, at, call.actor, account, assignGames),
        );
        made[level] = created;
        more.push(logged);
        parentId = created._id;
      }
      for (const [level, points] of [
        ['admin', order.adminCredit],
        ['user', order.playerCredit],
      ] as const) {
        const gift = { targetId: made[level]!._id, targetRole: level as Role, amount: hundredthsOf(points)! };
        const terms = { direction: 'give', mayIssue: false, note: undefined } as const;
        const given = await moveCredit(services, tx, at, call.actor, { ...gift, ...terms });
        more.push(given.logged);
        // The call holds the new accounts' passwords.
        const apart = {
          field: level === 'admin' ? 'adminCredit' : 'playerCredit',
          message: FIRST_STEPS_TEXTS.creditApart,
        };
        guarded.push(...given.guarded.map((act) => ({ ...act, apart })));
      }
      const accounts: Account[] = [];
      for (const level of LEVELS) accounts.push((await findAccount(tx, call.actor, at, { id: made[level]!._id }))!);
      return { accounts };
    });
    return { result: answer.accounts, subject: null, more, guarded };
  });
}

function accountOf(
  { usernames, games, testNetwork }: Order,
  level: Level,
  { parentId, passwordHash }: { readonly parentId: string; readonly passwordHash: string },
) {
  const ofAdmin = level === 'admin' ? { games, testNetwork } : { games: undefined };
  const username = usernames[level];
  return {
    role: level,
    username,
    passwordHash,
    commission: 0,
    note: 'add notes',
    active: true,
    refId: parentId,
    ...ofAdmin,
  };
}

function requireDifferentNames(usernames: Order['usernames']): void {
  const seen = new Set<string>();
  for (const level of LEVELS) {
    const name = usernames[level].toLowerCase();
    if (seen.has(name))
      throw new CallError('INVALID_INPUT', { fields: { [fieldOf(level)]: FIRST_STEPS_TEXTS.nameTwice } });
    seen.add(name);
  }
}

const fieldOf = (level: Level): string => `usernames.${level}`;

/** Errors name the chain's fields instead of a single account's. */
async function naming<T>(level: Level, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const problem = error instanceof CallError ? error.fields?.['username'] : undefined;
    if (problem === undefined) throw error;
    throw new CallError((error as CallError).code, { fields: { [fieldOf(level)]: problem } });
  }
}
