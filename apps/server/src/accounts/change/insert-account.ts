import { percentHundredthsOf, roleAbove, type Role } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Tx } from '../../platform/db/database.ts';
import type { Directory } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { openWallets, isPlaceholder, type WalletName } from '../../ledger/wallets.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { lockCommissions } from '../commission-rules.ts';
import { arrayOf, sql } from '../../platform/db/sql/sql.ts';
import { randomInt } from 'node:crypto';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

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

/** The parent must be one role above and inside the actor's subtree. Also locks the network's commissions. */
export async function requireParent(
  tx: Tx,
  actor: { id: string; role: Role },
  role: Role,
  refId: string | undefined,
): Promise<Parent> {
  const parentRole = roleAbove(role);
  if (parentRole === null) throw new CallError('NOT_ALLOWED', { message: ACCOUNT_TEXTS.noSuperadmins });
  const parentId = refId ?? (actor.role === parentRole ? actor.id : undefined);
  if (parentId === undefined)
    throw new CallError('INVALID_INPUT', { fields: { refId: ACCOUNT_TEXTS.referenceMissing } });
  const find = (lock: '' | 'for share'): Promise<Parent[]> =>
    tx.query<Parent>(
      sql`select a.id, a.network_id, a.chain from accounts a
        where a.id = ${parentId} and a.role = ${parentRole} and ${inSubtree('a', actor)} ${sql.raw(lock)}`,
    );
  // Lock order: commissions before accounts.
  const [found] = await find('');
  if (found) await lockCommissions(tx, found.chain);
  const [parent] = await find('for share');
  if (!parent) throw new CallError('NOT_FOUND', { fields: { refId: ACCOUNT_TEXTS.notOwnParent(parentRole) } });
  if (parentRole === 'admin' && (await isPlaceholder(tx, parent.id)))
    throw new CallError('INVALID_INPUT', { fields: { refId: ACCOUNT_TEXTS.networkMoving } });
  return parent;
}

export interface InsertedAccount extends NewAccount {
  readonly id: string;
  readonly parentId: string | null;
  readonly chain: readonly string[];
  readonly isCommissionGranted: boolean;
  readonly passwordSetBy?: string;
  readonly temporaryUntil?: Date;
  readonly at: Date;
}

const TEMPORARY_MS = 7 * 24 * 60 * 60_000;

export function temporaryUntil(at: Date): Date {
  return new Date(at.getTime() + TEMPORARY_MS);
}

/** The password is temporary for staff, because the actor knows it. Players keep theirs. */
export function firstPassword(
  actor: { readonly id: string },
  role: Role,
  at: Date,
): Pick<InsertedAccount, 'passwordSetBy' | 'temporaryUntil'> {
  return { passwordSetBy: actor.id, ...(role !== 'user' && { temporaryUntil: temporaryUntil(at) }) };
}

/** Also opens its wallets. */
export async function insertAccount(
  tx: Tx,
  account: InsertedAccount & { networkId: number },
  directory: NameBook | undefined,
): Promise<void> {
  const { size } = await insertAccounts(tx, account.networkId, [account], directory);
  if (size > 0) throw new CallError('USERNAME_TAKEN', { fields: { username: ACCOUNT_TEXTS.nameTaken } });
}

const nameOf = ({ username }: NewAccount): string => username.toLowerCase();

type NameBook = Pick<Directory, 'reserve'>;

/**
 * Inserts accounts of one network. A group of cells reserves names and unique ids first. Returns ids whose username is
 * taken.
 */
export async function insertAccounts(
  tx: Tx,
  networkId: number,
  accounts: readonly InsertedAccount[],
  directory: NameBook | undefined,
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  // Sorted by name, so concurrent transactions do not deadlock.
  let left = accounts.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  await tx.query(sql`select pg_advisory_xact_lock_shared(${sql.lit(NAMES_LOCK)})`);
  while (left.length > 0) {
    const drawn = left.map((account) => ({ ...account, uniqueId: newUniqueId(account.role) }));
    const free = directory ? await reserveAccounts(tx, directory, drawn, taken) : drawn;
    const inserted = await insertFree(tx, networkId, free);
    left = left.filter(({ id }) => !inserted.has(id) && !taken.has(id));
    if (left.length === 0) break;
    const used = await usedNames(tx, left.map(nameOf));
    for (const account of left) if (used.has(nameOf(account))) taken.add(account.id);
    // The rest hit a taken unique id and retry.
    left = left.filter(({ id }) => !taken.has(id));
  }
  await openAccountWallets(
    tx,
    networkId,
    accounts.filter(({ id }) => !taken.has(id)),
  );
  return taken;
}

/** Accounts and logins share one namespace. Adding a login takes this lock exclusively, adding accounts shares it. */
export const NAMES_LOCK = 3_407_522;

/** Names of accounts and logins, in lower case. `but`: leaves out the logins of this staged network. */
export async function usedNames(tx: Tx, names: readonly string[], but = -1): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>(
    sql`select lower(username) as name from accounts where lower(username) = any(${[...names]}::text[])
      union select username from logins where network_id <> ${but} and username = any(${[...names]}::text[])
      ${sql.raw(crossNetworkComment('signIn'))}`,
  );
  return new Set(rows.map(({ name }) => name));
}

type DrawnAccount = InsertedAccount & { readonly uniqueId: string };

/** Returns accounts with reserved name and unique id. Adds accounts with a used name to `taken`. */
async function reserveAccounts(
  tx: Tx,
  directory: NameBook,
  accounts: readonly DrawnAccount[],
  taken: Set<string>,
): Promise<DrawnAccount[]> {
  const network = accounts[0]!.chain[1] ?? null;
  // The directory does not distinguish this cell's accounts from its reservations.
  const used = await usedNames(tx, accounts.map(nameOf));
  const left = accounts.filter((account) => !used.has(nameOf(account)));
  const values = left.flatMap((account) => [nameOf(account), account.uniqueId]);
  const reserved = values.length > 0 ? await directory.reserve(network, values) : used;
  for (const account of accounts)
    if (used.has(nameOf(account)) || !reserved.has(nameOf(account))) taken.add(account.id);
  return left.filter((account) => reserved.has(nameOf(account)) && reserved.has(account.uniqueId));
}

async function insertFree(tx: Tx, networkId: number, accounts: readonly DrawnAccount[]): Promise<ReadonlySet<string>> {
  const of = <T>(value: (account: DrawnAccount) => T): T[] => accounts.map(value);
  const rows = await tx.query<{ id: string }>(
    sql`insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission, note,
        active, created_at, password_set_by, password_set_at, temporary_until, commission_granted)
     select id, ${networkId}::int, role, chain::uuid[], parent_id, username, unique_id, password_hash, commission, note,
        active, created_at, password_set_by, case when password_set_by is not null then created_at end,
        temporary_until, commission_granted
     from unnest(${of(({ id }) => id)}::uuid[], ${of(({ role }) => role)}::text[], ${of(({ chain }) => arrayOf(chain))}::text[],
       ${of(({ parentId }) => parentId)}::uuid[], ${of(({ username }) => username)}::text[],
       ${of(({ uniqueId }) => uniqueId)}::text[], ${of(({ passwordHash }) => passwordHash)}::text[],
       ${of(({ commission }) => percentHundredthsOf(commission))}::int[], ${of(({ note }) => note)}::text[],
       ${of(({ active }) => active)}::boolean[], ${of(({ at }) => at)}::timestamptz[],
       ${of(({ passwordSetBy }) => passwordSetBy ?? null)}::uuid[],
       ${of(({ temporaryUntil: until }) => until ?? null)}::timestamptz[],
       ${of(({ isCommissionGranted }) => isCommissionGranted)}::boolean[])
       as new (id, role, chain, parent_id, username, unique_id, password_hash, commission, note, active, created_at,
         password_set_by, temporary_until, commission_granted)
     where not exists (select from logins l where l.username = lower(new.username)) ${sql.raw(crossNetworkComment('signIn'))}
     on conflict do nothing returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function openAccountWallets(tx: Tx, networkId: number, accounts: readonly InsertedAccount[]): Promise<void> {
  const names = accounts.flatMap(({ id, role }): WalletName[] => [
    `credit:${id}`,
    `commission:${id}`,
    ...(role === 'user' ? [`winnings:${id}` as const] : []),
    ...(role === 'admin' ? [`boundary:${id}` as const] : []),
  ]);
  for (const { id, role } of accounts) if (role === 'admin') await openWallets(tx, ROOT_NETWORK, [`boundary:${id}`]);
  if (names.length > 0) await openWallets(tx, networkId, names);
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

/** Readable aloud: role letters plus 6 characters of Crockford base 32. Callers check uniqueness. */
export function newUniqueId(role: Role): string {
  return LETTERS[role] + Array.from({ length: 6 }, () => CROCKFORD[randomInt(CROCKFORD.length)]).join('');
}
