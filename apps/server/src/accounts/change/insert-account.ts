import { percentHundredthsOf, roleAbove } from '@drawhouse/contract/core/primitives';
import type { Role } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { openWallets, isPlaceholder } from '../../ledger/wallets.ts';
import type { WalletName } from '../../ledger/wallets.ts';
import { inSubtree } from '../../platform/db/predicate.ts';
import { lockCommissions } from '../commission-rules.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { randomInt } from 'node:crypto';

/** `commission` is in percent. */
export interface NewAccount {
  readonly role: Role;
  readonly username: string;
  readonly passwordHash: string;
  readonly commission: number;
  readonly note: string;
  readonly active: boolean;
}

export interface Parent {
  id: string;
  network_id: number;
  chain: string[];
}

/**
 * Finds and locks a new account's parent: role directly above, inside the actor's subtree, by default the actor. Locks
 * the network's commissions too. Throws a CallError naming `refId`.
 */
export async function requireParent(
  tx: Tx,
  actor: { id: string; role: Role },
  role: Role,
  refId: string | undefined,
): Promise<Parent> {
  const parentRole = roleAbove(role);
  if (parentRole === null) throw new CallError('NOT_ALLOWED', { message: "Superadmins can't be created here." });
  const parentId = refId ?? (actor.role === parentRole ? actor.id : undefined);
  if (parentId === undefined) throw new CallError('INVALID_INPUT', { fields: { refId: 'Reference is required' } });
  const find = (lock: '' | 'for share'): Promise<Parent[]> =>
    tx.query<Parent>(
      sql`select a.id, a.network_id, a.chain from accounts a
        where a.id = ${parentId} and a.role = ${parentRole} and ${inSubtree('a', actor)} ${sql.raw(lock)}`,
    );
  // Lock order: commissions before accounts. Reads the parent again afterwards.
  const [found] = await find('');
  if (found) await lockCommissions(tx, found.chain);
  const [parent] = await find('for share');
  if (!parent) throw new CallError('NOT_FOUND', { fields: { refId: `Choose a ${parentRole} of your own` } });
  if (parentRole === 'admin' && (await isPlaceholder(tx, parent.id)))
    throw new CallError('INVALID_INPUT', { fields: { refId: "This admin's network is being moved here" } });
  return parent;
}

/** Inserts an account with a free unique id and opens its wallets. Throws USERNAME_TAKEN. */
export async function insertAccount(
  tx: Tx,
  account: NewAccount & {
    id: string;
    networkId: number;
    parentId: string | null;
    chain: string[];
    isCommissionGranted: boolean;
    passwordSetBy?: string;
    at: Date;
  },
): Promise<void> {
  for (let inserted = false; !inserted;) {
    const rows = await tx
      .query(
        sql`insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note,
          active, created_at,
                               password_set_by, password_set_at, commission_granted)
         values (${account.id}, ${account.networkId}, ${account.role}, ${account.chain}, ${account.parentId}, ${account.username},
           ${newUniqueId(account.role)}, ${account.passwordHash}, ${percentHundredthsOf(account.commission)}, ${account.note},
           ${account.active}, ${account.at}, ${account.passwordSetBy ?? null},
           ${account.passwordSetBy === undefined ? null : account.at}, ${account.isCommissionGranted})
           on conflict (unique_id) do nothing returning id`,
      )
      .catch((error: { constraint?: string }) => {
        if (error.constraint === 'accounts_username')
          throw new CallError('USERNAME_TAKEN', {
            fields: { username: 'This username is taken. Names of deleted accounts stay taken' },
          });
        throw error;
      });
    inserted = rows.length > 0;
  }
  await openAccountWallets(tx, account.networkId, account.id, account.role);
}

async function openAccountWallets(tx: Tx, networkId: number, id: string, role: Role): Promise<void> {
  const names: WalletName[] = [`credit:${id}`, `commission:${id}`];
  if (role === 'user') names.push(`winnings:${id}`);
  if (role === 'admin') {
    await openWallets(tx, ROOT_NETWORK, [`boundary:${id}`]);
    names.push(`boundary:${id}`);
  }
  await openWallets(tx, networkId, names);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS: Record<Role, string> = {
  superadmin: 'SA',
  admin: 'A',
  superdistributor: 'SD',
  distributor: 'D',
  retailer: 'R',
  user: 'U',
};

/** Random code to read aloud: role letters plus 6 characters of Crockford base 32. Callers check uniqueness. */
export function newUniqueId(role: Role): string {
  return LETTERS[role] + Array.from({ length: 6 }, () => CROCKFORD[randomInt(CROCKFORD.length)]).join('');
}
