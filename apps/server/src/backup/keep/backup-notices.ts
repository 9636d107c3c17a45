import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { below, selectSeen } from '../../platform/db/predicate.ts';
import type { BackupTrouble } from './backup-schedule.ts';

export async function backupNotices(
  on: Queryable,
  actor: Actor,
  troubles: ReadonlyMap<string, BackupTrouble>,
): Promise<FoundNotice[]> {
  if (troubles.size === 0) return [];
  const seen = await on.query<{ id: string }>(
    selectSeen({
      select: sql`a.id`,
      from: sql`accounts a`,
      authority: below('a', actor),
      where: sql`a.id = any(${[...troubles.keys()]}::uuid[])`,
    }),
  );
  return seen
    .map(({ id }) => troubles.get(id)!)
    .toSorted((a, b) => a.username.localeCompare(b.username, 'en'))
    .map(({ username, ...trouble }) => ({ ...trouble, admin: username }));
}
