import { usedNames } from '../../accounts/change/insert-account.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Directory } from '../../platform/services.ts';
import { LOGIN_TEXTS } from './logins-texts.ts';

interface Staged {
  readonly staged: number;
  readonly live: number;
  readonly adminId: string;
  readonly moveId?: string | undefined;
}

/** New usernames by old. `any`: a trial. */
export type Renames = Readonly<Record<string, string>> | 'any';

const COLUMNS = sql.raw(
  'created_at, last_login_at, removed_at, password_set_at, temporary_until, daily_limit, account_id, password_set_by, number, ' +
    'password_set_by_login, starts_minute, ends_minute, active, role, username, name, password_hash, permissions, games, addresses',
);

/** A restore keeps the current logins, including newer ones. A move brings its logins, renamed by `renames`. */
export async function updateStagedLogins(
  tx: Tx,
  { staged, live, adminId, moveId }: Staged,
  directory: Directory | undefined,
  renames: Renames = {},
): Promise<void> {
  if (moveId !== undefined)
    return renames === 'any' ? undefined : renameTaken(tx, { staged, adminId }, directory, renames);
  await tx.query(
    sql`update logins s set removed_at = l.removed_at, last_login_at = l.last_login_at, password_set_at = l.password_set_at,
        temporary_until = l.temporary_until, daily_limit = l.daily_limit, password_set_by = l.password_set_by,
        password_set_by_login = l.password_set_by_login, starts_minute = l.starts_minute, ends_minute = l.ends_minute,
        active = l.active, role = l.role, username = l.username, name = l.name, password_hash = l.password_hash,
        permissions = l.permissions, games = l.games, addresses = l.addresses
      from logins l where s.network_id = ${staged} and l.network_id = ${live} and l.account_id = s.account_id and l.number = s.number`,
  );
  await tx.query(
    sql`insert into logins (network_id, ${COLUMNS}) select ${staged}, ${COLUMNS} from logins l where l.network_id = ${live}
      and l.account_id in (select id from staged_accounts where network_id = ${staged})
      and not exists (select from logins s where s.network_id = ${staged} and s.account_id = l.account_id and s.number = l.number)`,
  );
}

async function renameTaken(
  tx: Tx,
  { staged, adminId }: Pick<Staged, 'staged' | 'adminId'>,
  directory: Directory | undefined,
  renames: Readonly<Record<string, string>>,
): Promise<void> {
  const logins = await tx.query<{ account_id: string; number: number; username: string }>(
    sql`select account_id, number, username from logins where network_id = ${staged} order by username`,
  );
  const newNames = new Map(Object.entries(renames).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()]));
  const isFree = async (name: string): Promise<boolean> =>
    !(await usedNames(tx, [name], staged)).has(name) &&
    (!directory || (await directory.reserve(adminId, [name])).has(name));
  const taken: string[] = [];
  for (const { account_id, number, username } of logins) {
    if (await isFree(username)) continue;
    const name = newNames.get(username);
    if (name === undefined || !(await isFree(name))) taken.push(username);
    else
      await tx.query(
        sql`update logins set username = ${name} where network_id = ${staged} and account_id = ${account_id} and number = ${number}`,
      );
  }
  if (taken.length > 0)
    throw new CallError('USERNAME_TAKEN', { fields: { renames: LOGIN_TEXTS.namesTaken(taken.join(', ')) } });
}
