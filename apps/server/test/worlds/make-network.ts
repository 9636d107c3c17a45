import { createHash, randomBytes } from 'node:crypto';
import { DEFAULT_COMMISSION_CEILING as COMMISSION_CEILING, ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import { pointsOf, pointsText, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { insertAccount } from '../../src/accounts/change/insert-account.ts';
import {
  appendActivity,
  balanceChange,
  changeOf,
  percentWords,
  type ActivityEntry,
} from '../../src/activity/append-activity.ts';
import { hashPassword } from '../../src/auth/passwords/password.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { assignGames } from '../../src/games/catalogue/built-in-games.ts';
import { lockWallets, move, type Posting } from '../../src/ledger/post.ts';
import { balanceOf, ISSUANCE, openNetwork } from '../../src/ledger/wallets.ts';
import type { Services } from '../../src/platform/services.ts';

/** Games by key, commissions in percent, credit and `reserve` in hundredths. */
export interface NetworkPlan {
  readonly password: string;
  readonly credit: bigint;
  readonly reserve: bigint;
  readonly games: readonly string[];
  readonly commissions: Partial<Record<Role, number>>;
  readonly nameFor: (role: Role) => string;
}

interface Member {
  readonly _id: string;
  readonly username: string;
  readonly role: Role;
  readonly token: string;
  readonly elevation: string;
}

const IP = '127.0.0.1';
const USER_AGENT = 'lightMyRequest';

/** Per password and worker: hashing takes longer than creating a network. */
const hashes = new Map<string, Promise<string>>();

/**
 * Replaces 17 API calls by one transaction, with the same ledger and log rows. The admin creates all accounts below.
 * Returns accounts top down.
 */
export async function makeNetwork(
  services: Services,
  { password, credit, reserve, games, commissions, nameFor }: NetworkPlan,
): Promise<{ readonly networkId: number; readonly accounts: readonly Member[] }> {
  if (!hashes.has(password)) hashes.set(password, hashPassword(password));
  const passwordHash = (await hashes.get(password))!;
  return services.db.transaction(async (tx) => {
    const at = services.clock.now();
    const top = await firstSuperadmin(tx);
    const accounts: Member[] = [{ ...top, token: newSecret(), elevation: newSecret() }];
    const rootLog: ActivityEntry[] = [signedIn(accounts[0]!)];
    const log: ActivityEntry[] = [];
    const gameNames = await namesOf(tx, games);
    requireCommissions(commissions);
    let networkId = ROOT_NETWORK;
    for (const role of ROLES.slice(1)) {
      const isAdmin = role === 'admin';
      const parent = accounts.at(-1)!;
      // Rates set by an admin may exceed the parent's, so tests choose freely.
      const creator = accounts[isAdmin ? 0 : 1]!;
      const account = {
        _id: services.newId(),
        username: nameFor(role),
        role,
        token: newSecret(),
        elevation: newSecret(),
      };
      if (isAdmin) networkId = await openNetwork(tx, account._id);
      accounts.push(account);
      const commission = commissions[role] ?? 0;
      const cap = accounts.length > 3 ? (commissions[parent.role] ?? 0) : undefined;
      await insertAccount(
        tx,
        {
          id: account._id,
          networkId,
          role,
          username: account.username,
          passwordHash,
          passwordSetBy: creator._id,
          commission,
          isCommissionGranted: cap !== undefined && commission > cap,
          note: 'add notes',
          active: true,
          parentId: parent._id,
          chain: accounts.map(({ _id }) => _id),
          at,
        },
        services.directory,
      );
      if (isAdmin) await assignGames(tx, networkId, games, at);
      (isAdmin ? rootLog : log).push(
        created(creator, {
          account,
          parent,
          commission,
          games: isAdmin ? { keys: games, names: gameNames } : undefined,
        }),
      );
      log.push(signedIn(account));
    }
    if (credit + reserve > 0n) await passDown(services, tx, { at, networkId, accounts, credit, reserve, rootLog, log });
    await openSessions(tx, accounts, at);
    await appendActivity(tx, ROOT_NETWORK, services, rootLog);
    await appendActivity(tx, networkId, services, log);
    return { networkId, accounts };
  });
}

function requireCommissions({ admin: _earnsNothing, ...commissions }: Partial<Record<Role, number>>): void {
  const sum = Object.values(commissions).reduce((total, percent) => total + percent, 0);
  if (sum > COMMISSION_CEILING) throw new Error(`The commissions sum to ${sum} %, above the ceiling`);
}

async function firstSuperadmin(tx: Tx): Promise<Omit<Member, 'token' | 'elevation'>> {
  const [row] = await tx.query<{ id: string; username: string }>(
    "select id, username from accounts where role = 'superadmin' order by id limit 1",
  );
  return { _id: row!.id, username: row!.username, role: 'superadmin' };
}

async function namesOf(tx: Tx, games: readonly string[]): Promise<string> {
  const rows = await tx.query<{ name: string }>(
    'select name from games where game_key = any($1::text[]) or id::text = any($1::text[]) order by name',
    [games],
  );
  return rows.map(({ name }) => name).join(', ');
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function signedIn({ _id, username }: Member): ActivityEntry {
  const origin = { url: '/api/auth/login', method: 'POST', ip: IP };
  return { accountId: _id, username, subject: 'Signed in', origin };
}

interface Creation {
  readonly account: Member;
  readonly parent: Member;
  readonly commission: number;
  readonly games: { readonly keys: readonly string[]; readonly names: string } | undefined;
}

function created(creator: Member, { account, parent, commission, games }: Creation): ActivityEntry {
  const { username: of, role } = account;
  return {
    accountId: creator._id,
    username: creator.username,
    subject: `Created ${role} ${of}`,
    origin: { url: `/api/${ROLE_PREFIX[role]}/create`, method: 'POST', ip: IP },
    detail: { accountId: account._id, parentId: parent._id, commission, active: true, games: games?.keys },
    changes: [
      ...changeOf('Reference', null, parent.username, of),
      ...changeOf('Commission', null, percentWords(commission), of),
      ...(role === 'admin' ? changeOf('Commission ceiling', null, percentWords(COMMISSION_CEILING), of) : []),
      ...(role === 'admin' ? changeOf('Calls by token alone', null, 'Allowed', of) : []),
      ...changeOf('Games', null, games?.names || null, of),
      ...changeOf('Note', null, 'add notes', of),
      ...changeOf('Status', null, 'Active', of),
    ],
  };
}

async function passDown(
  services: Services,
  tx: Tx,
  {
    at,
    networkId,
    accounts,
    credit,
    reserve,
    rootLog,
    log,
  }: {
    readonly at: Date;
    readonly networkId: number;
    readonly accounts: readonly Member[];
    readonly credit: bigint;
    readonly reserve: bigint;
    readonly rootLog: ActivityEntry[];
    readonly log: ActivityEntry[];
  },
): Promise<void> {
  const [top, admin, ...below] = accounts as [Member, Member, ...Member[]];
  const passed = credit > 0n ? below : [];
  const stamp = { at, newId: services.newId, events: services.events };
  const whole = credit + reserve;
  const common = { amount: whole, reference: null };
  const border = `boundary:${admin._id}` as const;
  const reference = services.newId();
  const root = await lockWallets(tx, ROOT_NETWORK, [ISSUANCE, `credit:${top._id}`, border]);
  const give: Posting = { ...common, kind: 'give', actorId: top._id, from: `credit:${top._id}`, to: border, reference };
  const [issued] = await move(tx, ROOT_NETWORK, stamp, root, [
    { ...common, kind: 'issue', actorId: top._id, from: ISSUANCE, to: `credit:${top._id}` },
    give,
  ]);
  const postings = [
    { ...give, from: border, to: `credit:${admin._id}` } as const,
    ...passed.map((account, index): Posting => {
      const giver = [admin, ...below][index]!;
      const [from, to] = [`credit:${giver._id}`, `credit:${account._id}`] as const;
      return { kind: 'give', amount: credit, reference: null, actorId: giver._id, from, to };
    }),
  ];
  const wallets = await lockWallets(tx, networkId, [border, ...postings.map(({ to }) => to)]);
  const moved = await move(tx, networkId, stamp, wallets, postings);
  const left = await balanceOf(tx, ROOT_NETWORK, `credit:${top._id}`);
  rootLog.push(
    gave(top, top, { id: issued!, amount: whole, left: left + whole }),
    gave(top, admin, { id: moved[0]!, amount: whole, left }),
  );
  for (const [index, account] of passed.entries())
    log.push(
      gave(accounts[index + 1]!, account, { id: moved[index + 1]!, amount: credit, left: index === 0 ? reserve : 0n }),
    );
}

function gave(
  giver: Member,
  target: Member,
  { id: transferId, amount, left }: { readonly id: string; readonly amount: bigint; readonly left: bigint },
): ActivityEntry {
  const isIssue = giver === target;
  const points = pointsText(amount);
  return {
    accountId: giver._id,
    username: giver.username,
    subject: isIssue ? `Issued ${points} points` : `Gave ${points} points to ${target.username}`,
    origin: {
      url: `/api/${ROLE_PREFIX[target.role]}/credit-${isIssue ? 'adjust' : 'transfer'}`,
      method: 'POST',
      ip: IP,
    },
    detail: { transferId, targetId: target._id, amount: pointsOf(amount), direction: 'give' },
    changes: [
      ...balanceChange(`Credit of ${target.username}`, isIssue ? left : amount, amount),
      ...(isIssue ? [] : balanceChange(`Credit of ${giver.username}`, left, -amount)),
    ],
  };
}

async function openSessions(tx: Tx, accounts: readonly Member[], at: Date): Promise<void> {
  const ids = accounts.map(({ _id }) => _id);
  const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  const tokenHashes = accounts.map(({ token }) => hashOf(token));
  await tx.query('update accounts set last_login_at = greatest(last_login_at, $2) where id = any($1::uuid[])', [
    ids,
    at,
  ]);
  await tx.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, by_token, ip, user_agent)
     select *, $3::timestamptz, $3::timestamptz, false, $4, $5 from unnest($1::bytea[], $2::uuid[])`,
    [tokenHashes, ids, at, IP, USER_AGENT],
  );
  await tx.query(
    `insert into elevations (session_hash, secret_hash, created_at, last_used_at)
     select *, $3::timestamptz, $3::timestamptz from unnest($1::bytea[], $2::bytea[])`,
    [tokenHashes, accounts.map(({ elevation }) => hashOf(elevation)), at],
  );
  await tx.query(
    `insert into known_addresses (account_id, address, last_at) select unnest($1::uuid[]), $2, $3
     on conflict (account_id, login, address) do update set last_at = excluded.last_at`,
    [ids, IP, at],
  );
}
