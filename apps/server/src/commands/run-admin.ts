import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { parseArgs } from 'node:util';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { countUsableKeys } from '../api-keys/api-keys.sql.ts';
import { SCOPES, type ClearedAttempts, type ThrottledCount } from '../auth/attempts/attempts.ts';
import {
  disabledWords,
  listForShell,
  resetFactorFromShell,
  resetFromShell,
  resetPlacesFromShell,
  slowedAddresses,
  unlockAddress,
  unlockFromShell,
  type Shell,
  type ShownAccount,
} from '../auth/attempts/unlock-account.ts';
import { systemClock } from '../platform/time/clock.ts';
import { osUser, runCommandLine, withExistingDatabase } from './command-line.ts';
import { readConfig, type Config } from '../config/config.ts';
import { connect } from '../platform/db/database.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { correctClock, readFutureRows } from '../settlement/correct-clock.ts';
import { createDrawMachine } from '../settlement/draw-machine.ts';
import { createSeedVault, requireSeedKey } from '../draws/seed/seeds.ts';
import type { Events, Services } from '../platform/services.ts';
import { pinnedTimeZone } from '../platform/settings/pinned-settings.ts';
import { ADMIN_COMMAND } from './commands-texts.ts';
import { timeWords } from '../protection/protection-texts.ts';

const USAGE = `Usage: npm run admin -- list [--all]
       npm run admin -- reset-password NAME
       npm run admin -- reset-factor NAME
       npm run admin -- reset-places NAME
       npm run admin -- unlock NAME
       npm run admin -- unlock --address ADDRESS
       npm run admin -- correct-clock [--yes]

  Helps accounts that are locked out. Needs the server's shell; works beside a running server or without one. Changes are logged in the
  account's network as done by (shell).

  list             lists superadmins and admins, with --all all back-office accounts: last sign-in, and what blocks or slows sign-ins
  reset-password   gives an account or login a random password, prints it once, and ends its sessions. Staff choose their own at the
                   next sign-in, within 7 days. For 7 days it is not a second person
  reset-factor     removes the second factors of an account or login that lost its devices and codes, and ends its sessions
  reset-places     removes the allowed addresses and hours of a login, or for an account those of its whole network
  unlock           clears the failed sign-ins that slow down an account or an address. It does not activate an inactive account
  correct-clock    use it after correcting a clock that was ahead. Shows draws ahead of the time; with --yes voids the unfinished ones,
                   refunds their stakes, and lets new draws open at the times of the finished ones

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

const BY = 'npm run admin';
const ADMINISTER = { verb: 'administer', noun: 'Administer' };
/** 96 bits, like the first-start password. */
const PASSWORD_BYTES = 12;

export type AdminArgs =
  | { readonly what: 'list'; readonly roles: readonly Role[] }
  | { readonly what: 'reset-password' | 'reset-factor' | 'reset-places' | 'unlock'; readonly name: string }
  | { readonly what: 'unlock-address'; readonly address: string }
  | { readonly what: 'correct-clock'; readonly isMeant: boolean };

const WISHES = ['list', 'reset-password', 'reset-factor', 'reset-places', 'unlock', 'correct-clock'] as const;

function isWish(what: string | undefined): what is (typeof WISHES)[number] {
  return WISHES.some((wish) => wish === what);
}

export function parseAdminArgs(args: readonly string[]): AdminArgs {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      address: { type: 'string' },
      yes: { type: 'boolean' },
    },
  });
  const [what, name, ...more] = positionals;
  if (!isWish(what)) throw new Error(ADMIN_COMMAND.choose);
  if (values.yes && what !== 'correct-clock') throw new Error(ADMIN_COMMAND.onlyCorrectClock);
  if (values.all && what !== 'list') throw new Error(ADMIN_COMMAND.onlyList);
  if (values.address !== undefined && what !== 'unlock') throw new Error(ADMIN_COMMAND.onlyUnlock);
  if (what === 'correct-clock') {
    if (name !== undefined) throw new Error(ADMIN_COMMAND.clockNoName);
    return { what, isMeant: values.yes === true };
  }
  if (what === 'list') {
    if (name !== undefined) throw new Error(ADMIN_COMMAND.listNoName);
    return {
      what,
      roles: ROLES.filter((role) => (values.all ? role !== 'user' : role === 'superadmin' || role === 'admin')),
    };
  }
  if (values.address !== undefined) {
    if (name !== undefined) throw new Error(ADMIN_COMMAND.nameOrAddress);
    return { what: 'unlock-address', address: values.address };
  }
  if (name === undefined || more.length > 0) throw new Error(ADMIN_COMMAND.nameAccount);
  return { what, name };
}

function paceOf({ scope, nextAt }: ThrottledCount, now: Date): string {
  const leftSeconds = Math.ceil((nextAt.getTime() - now.getTime()) / 1_000);
  return ADMIN_COMMAND.pace(SCOPES[scope].oneMoreMs / 1_000, leftSeconds);
}

function slowedWords(count: ThrottledCount, now: Date): string {
  const pace = paceOf(count, now);
  if (count.scope === 'session') return ADMIN_COMMAND.inSessions(pace);
  if (count.scope === 'name') return ADMIN_COMMAND.newBrowsers(pace);
  if (count.scope === 'factor') return ADMIN_COMMAND.secondFactors(pace);
  if (count.scope === 'device') return ADMIN_COMMAND.knownBrowsers(pace);
  const [, address, ...inSession] = count.subject.split(' ');
  return ADMIN_COMMAND.fromAddress(inSession.length > 0, address!, pace);
}

function standingOf({ username, disabled, slowed }: ShownAccount, now: Date): string {
  if (disabled !== null) return disabledWords(username, disabled);
  return slowed.length === 0 ? ADMIN_COMMAND.canSignIn : slowed.map((count) => slowedWords(count, now)).join('; ');
}

async function list(services: Services, roles: readonly Role[]): Promise<void> {
  const { timeZone } = services;
  const now = services.clock.now();
  const accounts = await listForShell(services.db, roles, now);
  const widthOf = (of: (account: ShownAccount) => string): number =>
    Math.max(...accounts.map((account) => of(account).length));
  const [names, kinds] = [widthOf(({ username }) => username), widthOf(({ role }) => role)];
  for (const account of accounts) {
    const { username, role, lastSignIn, sessions } = account;
    const last = lastSignIn ? ADMIN_COMMAND.lastSignedIn(timeWords(lastSignIn, timeZone)) : ADMIN_COMMAND.neverSignedIn;
    const sessionText = sessions === 1 ? '1 session' : `${sessions} sessions`;
    console.log(
      `${username.padEnd(names)}  ${role.padEnd(kinds)}  ${last}, ${sessionText}; ${standingOf(account, now)}`,
    );
  }
  for (const line of await addressLines(services)) console.log(line);
}

/** Unknown accounts are slowed by address, whatever names are unlocked. */
async function addressLines({ db, clock }: Services): Promise<string[]> {
  const now = clock.now();
  return (await slowedAddresses(db, now)).map((count) => ADMIN_COMMAND.unknownNames(count.subject, paceOf(count, now)));
}

function unlockedWords(owner: string, forgotten: ClearedAttempts): string {
  if (forgotten === 'full') return ADMIN_COMMAND.unlocked(owner);
  return forgotten === 'some' ? ADMIN_COMMAND.attemptsCleared(owner) : ADMIN_COMMAND.notSlowed(owner);
}

/** Counts what a wrong clock dated in the future. Corrects it if `isMeant`. */
async function correct(services: Services, config: Config, shell: Shell, isMeant: boolean): Promise<void> {
  const now = services.clock.now();
  const { finished, unfinished, until } = await readFutureRows(services.db, now);
  const nowText = timeWords(now, services.timeZone);
  if (!until) return console.log(ADMIN_COMMAND.clockRight(nowText));
  const found = ADMIN_COMMAND.datedAhead(nowText, timeWords(until, services.timeZone), finished, unfinished);
  if (!isMeant) {
    console.log(ADMIN_COMMAND.confirmClock(found, unfinished));
    return undefined;
  }
  const machine = createDrawMachine(services, createSeedVault(await requireSeedKey(services.db, config)));
  const voided = await correctClock(machine, shell);
  console.log(ADMIN_COMMAND.clockCorrected(found, voided));
}

async function act(services: Services, config: Config, wish: AdminArgs): Promise<void> {
  const shell = { command: BY, osUser: osUser() };
  if (wish.what === 'list') return list(services, wish.roles);
  if (wish.what === 'correct-clock') return correct(services, config, shell, wish.isMeant);
  if (wish.what === 'unlock-address') {
    console.log(unlockedWords(wish.address, await unlockAddress(services, shell, wish.address)));
    return undefined;
  }
  if (wish.what === 'unlock') {
    const { username, forgotten, stillOut } = await unlockFromShell(services, shell, wish.name);
    console.log([unlockedWords(username, forgotten), ...stillOut, ...(await addressLines(services))].join('\n'));
    return undefined;
  }
  if (wish.what === 'reset-factor') {
    const { username, removed } = await resetFactorFromShell(services, shell, wish.name);
    console.log(removed === 0 ? ADMIN_COMMAND.noFactor(username) : ADMIN_COMMAND.factorsReset(username));
    return undefined;
  }
  if (wish.what === 'reset-places') {
    const { of, isChanged } = await resetPlacesFromShell(services, shell, wish.name);
    console.log(isChanged ? ADMIN_COMMAND.placesReset(of) : ADMIN_COMMAND.noPlaces(of));
    return undefined;
  }
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const { username, role, ended, id, networkId, stillOut } = await resetFromShell(services, shell, wish.name, password);
  // An intruder may have created keys.
  const keys = role === 'user' ? 0 : await countUsableKeys(services.db, { id, networkId });
  const sessions =
    ended === 0 ? ADMIN_COMMAND.noSession : `${ended === 1 ? 'Its session has' : `Its ${ended} sessions have`} ended.`;
  console.log(
    [
      ADMIN_COMMAND.newPassword(role, username, sessions),
      `  username  ${username}`,
      `  password  ${password}`,
      ADMIN_COMMAND.shownOnce,
      ADMIN_COMMAND.notSecondPerson,
      ...(keys > 0 ? [ADMIN_COMMAND.keysLeft(keys)] : []),
      ...stillOut,
      ...(await addressLines(services)),
    ].join('\n'),
  );
}

function run(wish: AdminArgs): Promise<number> {
  const config = readConfig();
  return withExistingDatabase(config, ADMINISTER, async (address) => {
    const db = connect(address, { onError: () => {}, poolSize: 1 });
    try {
      const machineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const services: Services = {
        db,
        clock: systemClock,
        timeZone: await pinnedTimeZone(db, undefined, machineZone),
        newId: createUuid7(systemClock),
        events: new EventEmitter<Events>(),
      };
      await act(services, config, wish);
      return 0;
    } finally {
      await db.close();
    }
  });
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: parseAdminArgs, run });
