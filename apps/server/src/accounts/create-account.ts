import type { Account } from '@drawhouse/contract/accounts';
import { percentHundredthsOf, percentOf, roleAbove } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import type { Call } from '../http/handler.ts';
import { openWallets } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { findAccount } from './accounts.sql.ts';
import { effectivelyActive, inSubtree } from './authority.ts';
import type { Actor } from './authority.ts';
import { newUniqueId } from './unique-id.ts';

/** What a new account is made of, as validated by the contract; `commission` in percent. */
export interface NewAccount {
  readonly role: Role;
  readonly username: string;
  readonly passwordHash: string;
  readonly commission: number;
  readonly note: string;
  readonly active: boolean;
  readonly refId: string | undefined;
  readonly games: readonly string[] | undefined;
}

/** Gives a network its games when its admin is created; part of the games feature. */
export type AssignGames = (tx: Tx, networkId: string, games: readonly string[], at: Date) => Promise<void>;

interface Parent {
  id: string;
  network_id: string;
  chain: string[];
}

/**
 * Creates an account under a parent of the role directly above, which is the actor or below it. Opens its wallets; an
 * admin's account opens its network. Throws a CallError that names the wrong field.
 */
export async function createAccount(
  services: Services,
  call: Call<Actor>,
  account: NewAccount,
  assignGames: AssignGames,
): Promise<Account> {
  return runCommand(services, call, async (tx, at) => {
    const parent = await findParent(tx, call.actor, account);
    // While the password was hashed the actor may have been deactivated.
    if (!(await effectivelyActive(tx, [call.actor.id])).has(call.actor.id)) throw new CallError('SESSION_ENDED');
    await checkCommission(tx, parent, account.commission);
    const id = services.newId();
    const networkId = account.role === 'admin' ? id : parent.network_id;
    await insertAccount(tx, { ...account, id, networkId, parentId: parent.id, chain: [...parent.chain, id], at });
    await openAccountWallets(tx, networkId, id, account.role);
    if (account.role === 'admin') await assignGames(tx, networkId, account.games ?? [], at);
    return {
      result: (await findAccount(tx, call.actor.id, at, { id }))!,
      subject: `Created ${account.role} ${account.username}`,
      detail: {
        accountId: id,
        parentId: parent.id,
        commission: account.commission,
        active: account.active,
        games: account.games,
      },
    };
  });
}

/** The first superadmin, made by the server itself at its first start. Does nothing when there is one. Gives whether it made one. */
export async function createFirstSuperadmin(
  services: Services,
  username: string,
  hash: () => Promise<string>,
): Promise<boolean> {
  const exists = (on: Queryable) => on.query("select from accounts where role = 'superadmin' limit 1");
  if ((await exists(services.db)).length > 0) return false;
  const passwordHash = await hash();
  return services.db.transaction(async (tx) => {
    await tx.query('lock table accounts in share row exclusive mode');
    if ((await exists(tx)).length > 0) return false;
    const id = services.newId();
    await openWallets(tx, ROOT_NETWORK, [{ ownerId: ROOT_NETWORK, kind: 'issuance' }]);
    await insertAccount(tx, {
      role: 'superadmin',
      username,
      passwordHash,
      commission: 0,
      note: 'add notes',
      active: true,
      id,
      networkId: ROOT_NETWORK,
      parentId: null,
      chain: [id],
      at: services.clock.now(),
    });
    await openAccountWallets(tx, ROOT_NETWORK, id, 'superadmin');
    return true;
  });
}

async function findParent(tx: Tx, actor: Actor, account: NewAccount): Promise<Parent> {
  const parentRole = roleAbove(account.role);
  if (parentRole === null) throw new CallError('NOT_ALLOWED', { message: 'Superadmins are not created here.' });
  const parentId = account.refId ?? (actor.role === parentRole ? actor.id : undefined);
  if (parentId === undefined) throw new CallError('INVALID_INPUT', { fields: { refId: 'Reference is required' } });
  const [parent] = await tx.query<Parent>(
    `select a.id, a.network_id, a.chain from accounts a where a.id = $2 and a.role = $3 and ${inSubtree('a', '$1')} for share`,
    [actor.id, parentId, parentRole],
  );
  if (!parent) throw new CallError('NOT_FOUND', { fields: { refId: `Choose a ${parentRole} of your own` } });
  return parent;
}

async function checkCommission(tx: Tx, parent: Parent, commission: number): Promise<void> {
  const [above] = await tx.query<{ total: bigint }>(
    'select coalesce(sum(commission), 0) as total from accounts where id = any($1)',
    [parent.chain],
  );
  const left = 10_000 - Number(above!.total);
  if (percentHundredthsOf(commission) > left)
    throw new CallError('COMMISSION_LIMIT', {
      fields: { commission: `At most ${percentOf(left)} percent are left along this chain` },
    });
}

async function insertAccount(
  tx: Tx,
  account: Omit<NewAccount, 'refId' | 'games'> & {
    id: string;
    networkId: string;
    parentId: string | null;
    chain: string[];
    at: Date;
  },
): Promise<void> {
  for (let inserted = false; !inserted;) {
    const rows = await tx
      .query(
        `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note, active, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (unique_id) do nothing returning id`,
        [
          account.id,
          account.networkId,
          account.role,
          account.chain,
          account.parentId,
          account.username,
          newUniqueId(account.role),
          account.passwordHash,
          percentHundredthsOf(account.commission),
          account.note,
          account.active,
          account.at,
        ],
      )
      .catch((error: { constraint?: string }) => {
        if (error.constraint === 'accounts_username')
          throw new CallError('USERNAME_TAKEN', { fields: { username: 'This username is taken' } });
        throw error;
      });
    inserted = rows.length > 0;
  }
}

async function openAccountWallets(tx: Tx, networkId: string, id: string, role: Role): Promise<void> {
  const names: WalletName[] = [
    { ownerId: id, kind: 'credit' },
    { ownerId: id, kind: 'commission' },
  ];
  if (role === 'user') names.push({ ownerId: id, kind: 'winnings' });
  if (role === 'admin') {
    const boundary: WalletName = { ownerId: id, kind: 'boundary' };
    await openWallets(tx, ROOT_NETWORK, [boundary]);
    names.push(boundary);
  }
  await openWallets(tx, networkId, names);
}
