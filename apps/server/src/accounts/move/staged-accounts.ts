import { NOBODY, ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { arrayOf, sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Directory } from '../../platform/services.ts';
import type { Actor } from '../authority.ts';
import { requireDistinctStagedName } from '../change/misleading-names.ts';
import { newUniqueId, temporaryUntil } from '../change/insert-account.ts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

export interface NetworkSwap {
  readonly staged: number;
  readonly live: number;
}

export interface NamedAccount {
  readonly id: string;
  readonly username: string;
  readonly role: Actor['role'];
}

const PASSWORD = ['password_hash', 'password_set_at', 'password_set_by', 'temporary_until'];
/** In all other fields, the superadmin's current values win. */
const COLUMNS_FROM_BACKUP = ['last_login_at'];

export async function accountColumns(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    sql`select attname as name from pg_attribute
     where attrelid = 'accounts'::regclass and attnum > 0 and not attisdropped
       and attname not in ('id', 'network_id', 'written_by') order by attnum`.named('account-columns'),
  );
  return rows.map(({ name }) => name);
}

/** SQL: every account id is in the staged copy or the root, so not of an account that the restore undoes. */
export function areStagedOrRoot(staged: number, ids: readonly Sql[]): Sql {
  return sql.join(
    ids.map(
      (id) => sql`(exists (select from staged_accounts sa where sa.network_id = ${staged} and sa.id = ${id})
        or exists (select from accounts ra where ra.network_id = ${ROOT_NETWORK} and ra.id = ${id}))`,
    ),
    sql` and `,
  );
}

/** The last entry of the root's log that a backup knows, and its time. */
interface BackupEnd {
  readonly live: number;
  readonly rootLog: bigint;
  readonly takenAt: Date;
}

/** Log rows since the backup name account `a`, in the live network's log, the root's, or that of an earlier cell. */
const namedSince = ({ live, rootLog, takenAt }: BackupEnd, ids: Sql, where: Sql): Sql => sql`a.id::text in (
  select ${ids} from activity where network_id = ${ROOT_NETWORK} and seq > ${rootLog} and ${where}
  union all select ${ids} from activity where network_id = ${live} and at >= ${takenAt} and ${where}
  union all select ${ids} from moved_activity where network_id = ${live} and at >= ${takenAt} and ${where})`;

export const changedSince = (end: BackupEnd): Sql =>
  namedSince(end, sql`detail ->> 'accountId'`, sql`detail ? 'accountId'`);

const statusChangedSince = (end: BackupEnd): Sql =>
  sql`(${namedSince(end, sql`detail ->> 'accountId'`, sql`detail -> 'active' = 'false'`)} or ${namedSince(
    end,
    sql`jsonb_path_query(detail, '$.wrote[*] ? (@.table == "accounts" && @.fields[*] == "active").keys[*]') #>> '{}'`,
    sql`detail ? 'wrote'`,
  )})`;

export async function applyCurrentValues(
  tx: Tx,
  {
    adminId,
    staged,
    live,
    rootLog,
    takenAt,
  }: NetworkSwap & { readonly adminId: string; readonly rootLog: bigint; readonly takenAt: Date },
): Promise<NamedAccount[]> {
  const ofAdmin = (await accountColumns(tx)).filter((name) => !COLUMNS_FROM_BACKUP.includes(name));
  const same = (columns: readonly string[]): string => columns.map((name) => `${name} = a.${name}`).join(', ');
  const accounts = sql`from accounts a where s.network_id = ${staged} and a.id = s.id and a.network_id = ${live}`;
  const passwordsOf = (of: string): string => `(${PASSWORD.map((name) => `${of}.${name}`).join(', ')})`;
  await tx.query(
    sql`update staged_accounts s set ${sql.raw(same(PASSWORD))} ${accounts} and a.id <> ${adminId}
      and ${sql.raw(passwordsOf('s'))} is distinct from ${sql.raw(passwordsOf('a'))}`,
  );
  await tx.query(sql`update staged_accounts s set ${sql.raw(same(ofAdmin))} ${accounts} and a.id = ${adminId}`);
  await tx.query(
    sql`update staged_accounts s set chain = a.chain || s.chain[3:] from accounts a
     where s.network_id = ${staged} and a.id = ${adminId} and s.id <> ${adminId} and s.chain[1:2] <> a.chain`,
  );
  return tx.query<NamedAccount & Record<string, unknown>>(
    sql`update staged_accounts s set active = false ${accounts} and s.active and s.id <> ${adminId} and s.deleted_at is null
       and (not a.active and ${statusChangedSince({ live, rootLog, takenAt })} or a.deleted_at is not null
         and ${changedSince({ live, rootLog, takenAt })})
     returning s.id, s.username, s.role`,
  );
}

export async function withoutPassword(tx: Tx, { staged, live }: NetworkSwap): Promise<NamedAccount[]> {
  return tx.query<NamedAccount & Record<string, unknown>>(
    sql`select s.id, s.username, s.role from staged_accounts s
     where s.network_id = ${staged} and s.password_hash = '' and s.deleted_at is null
       and not exists (select from accounts a where a.id = s.id and a.network_id = ${live} and a.password_hash <> '')
     order by cardinality(s.chain), lower(s.username)`,
  );
}

export async function setStagedPasswords(
  tx: Tx,
  { staged }: NetworkSwap,
  given: readonly { readonly id: string; readonly hash: string }[],
  at: Date,
): Promise<void> {
  await tx.query(
    sql`update staged_accounts s set password_hash = given.hash, password_set_by = ${NOBODY}, password_set_at = ${at},
       temporary_until = case when s.role <> 'user' then ${temporaryUntil(at)}::timestamptz end
     from unnest(${arrayOf(given.map(({ id }) => id))}::uuid[], ${given.map(({ hash }) => hash)}::text[]) as given (id, hash)
       where s.network_id = ${staged} and s.id = given.id`,
  );
}

/** Rows keep their id. Call {@link copyAccounts} first. */
export async function swapAccounts(tx: Tx, { staged, live }: NetworkSwap): Promise<void> {
  const columns = await accountColumns(tx);
  await copyAccounts(tx, live);
  await tx.query(
    sql`update accounts a set network_id = ${staged}, ${sql.raw(columns.map((name) => `${name} = s.${name}`).join(', '))}
     from staged_accounts s where s.network_id = ${staged} and a.id = s.id and a.network_id = ${live}`,
  );
}

export async function copyAccounts(tx: Tx, live: number): Promise<void> {
  const list = (await accountColumns(tx)).join(', ');
  await tx.query(sql`set constraints accounts_parent_id_fkey deferred`);
  await tx.query(
    sql`insert into staged_accounts (network_id, id, ${sql.raw(list)}) select network_id, id, ${sql.raw(list)} from accounts
      where network_id = ${live}`,
  );
}

/**
 * Looks each account up separately: network ids created in this transaction have no statistics, so a join scans the
 * whole table per account.
 */
export async function addStagedAccounts(tx: Tx, staged: number): Promise<void> {
  const list = (await accountColumns(tx)).join(', ');
  try {
    await tx.query(
      sql`insert into accounts (network_id, id, ${sql.raw(list)}) select network_id, id, ${sql.raw(list)} from staged_accounts s
       where s.network_id = ${staged} and (select a.network_id from accounts a where a.id = s.id) is distinct from ${staged}`,
    );
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'accounts_username') throw error;
    throw new CallError('USERNAME_TAKEN', {
      message: ACCOUNT_TEXTS.renamedMeanwhile,
    });
  }
  await tx.query(sql`delete from staged_accounts where network_id = ${staged}`);
}

/** Usernames in use elsewhere, or swapped within the network. */
function usernameConflicts(tx: Pick<Tx, 'query'>, staged: number, live: number): Promise<NamedAccount[]> {
  return tx.query<NamedAccount>(
    sql`select s.id, s.username, s.role from staged_accounts s join accounts a on lower(a.username) = lower(s.username)
     where s.network_id = ${staged} and a.id <> s.id
       and (a.network_id is distinct from ${live} or exists (select from accounts l where l.network_id = ${live} and l.id = s.id))
     order by lower(s.username)`,
  );
}

/** Also replaces taken unique ids. */
export async function renameConflicts(
  tx: Tx,
  { staged, live, adminId }: NetworkSwap & { readonly adminId: string },
  renames: Readonly<Record<string, string>>,
  directory: Directory | undefined,
): Promise<void> {
  await replaceTakenIds(tx, { staged, live });
  const findConflicts = async (): Promise<NamedAccount[]> => [
    ...(await usernameConflicts(tx, staged, live)),
    ...(directory ? await takenInGroup(tx, { staged, live, adminId }, directory) : []),
  ];
  const newNames = new Map(Object.entries(renames).map(([from, to]) => [from.toLowerCase(), to]));
  for (const { id, username } of await findConflicts()) {
    const name = newNames.get(username.toLowerCase());
    if (name === undefined) continue;
    await requireDistinctStagedName(tx, name, { id, networkId: staged });
    await tx.query(sql`update staged_accounts set username = ${name} where network_id = ${staged} and id = ${id}`);
  }
  const [twice] = await tx.query<{ username: string }>(
    sql`select min(username) as username from staged_accounts where network_id = ${staged} group by lower(username) having count(*) > 1`,
  );
  const still = await findConflicts();
  if (twice || still.length > 0) {
    const names = twice ? twice.username : [...new Set(still.map(({ username }) => username))].join(', ');
    throw new CallError('USERNAME_TAKEN', {
      fields: { renames: ACCOUNT_TEXTS.namesTaken(names) },
    });
  }
}

async function replaceTakenIds(tx: Tx, { staged, live }: NetworkSwap): Promise<void> {
  const ids = await tx.query<{ id: string; role: Actor['role'] }>(
    sql`select s.id, s.role from staged_accounts s join accounts a on a.unique_id = s.unique_id
     where s.network_id = ${staged} and a.id <> s.id and a.network_id is distinct from ${live}`,
  );
  for (const { id, role } of ids)
    await tx.query(
      sql`update staged_accounts set unique_id = ${newUniqueId(role)} where network_id = ${staged} and id = ${id}`,
    );
}

const RESERVED_AT_ONCE = 2_500;

/** Returns accounts whose name another network has, and replaces taken unique ids. */
async function takenInGroup(
  tx: Tx,
  { staged, live, adminId }: NetworkSwap & { readonly adminId: string },
  directory: Directory,
): Promise<NamedAccount[]> {
  const taken: NamedAccount[] = [];
  let last: string = NOBODY;
  for (;;) {
    const page = await tx.query<NamedAccount & { uniqueId: string }>(
      sql`select id, username, role, unique_id as "uniqueId" from staged_accounts s
       where network_id = ${staged} and id > ${last} and not exists (select from accounts a
         where a.id = s.id and a.network_id = ${live} and (lower(a.username), a.unique_id) = (lower(s.username), s.unique_id))
       order by id limit ${RESERVED_AT_ONCE}`,
    );
    if (page.length === 0) return taken;
    last = page.at(-1)!.id;
    const reserved = await directory.reserve(
      adminId,
      page.flatMap(({ username, uniqueId }) => [username.toLowerCase(), uniqueId]),
    );
    taken.push(...page.filter(({ username }) => !reserved.has(username.toLowerCase())));
    for (const { id, role } of page.filter(({ uniqueId }) => !reserved.has(uniqueId)))
      await tx.query(
        sql`update staged_accounts set unique_id = ${newUniqueId(role)} where network_id = ${staged} and id = ${id}`,
      );
  }
}
