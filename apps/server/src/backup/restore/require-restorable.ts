import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Services } from '../../platform/services.ts';
import type { ForeignStaging } from '../move/stage-foreign-network.ts';
import { BackupDamaged, type Manifest } from '../take/archive/manifest.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import { copiedTables } from '../backup-tables.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { DAMAGE } from '../backup-texts.ts';

interface Fitting {
  readonly services: Services;
  readonly backup: CompleteBackup;
  readonly adminId: string;
  readonly moving?: ForeignStaging | undefined;
}

/** Throws {@link BackupDamaged} for foreign backups ({@link requireLocal}), other schemas and missing parts. */
export async function requireRestorable(fitting: Fitting): Promise<void> {
  await requireLocal(fitting);
  const { services, backup } = fitting;
  const { manifest } = backup;
  const [row] = await services.db.query<{ schema: string }>(sql`select max(name) as schema from migrations`);
  const { schema } = row!;
  // Migrated to this program's schema, so the database's differs.
  if (manifest.schema !== schema) throw new BackupDamaged(DAMAGE.otherSchema(manifest.schema, schema));
  const left = fitting.moving?.replicated?.tables;
  const expected = (await copiedTables(services.db)).filter(({ table }) => left?.has(table) !== true);
  const problem = manifest.files.length !== expected.length ? 'is incomplete' : undefined;
  for (const [index, { table, columns }] of expected.entries()) {
    const file = manifest.files[index];
    if (problem || file?.table !== table || file.columns.join() !== columns.join())
      throw new BackupDamaged(
        `its manifest ${problem ?? `names no file of the table ${table} as this version has it`}`,
      );
  }
}

/** Throws {@link BackupDamaged} for another admin, time zone or, unless moving, installation or root log. */
export async function requireLocal({ services, backup: { manifest }, adminId, moving }: Fitting): Promise<void> {
  if (manifest.admin.id !== adminId) throw new BackupDamaged(DAMAGE.otherNetwork);
  requireSameTimeZone(services, manifest);
  if (moving) return;
  const [row] = await services.db.query<{ installation: string; knowsRoot: boolean }>(
    sql`select (select value from pinned_settings where name = 'installation') as installation,
            ${manifest.rootLog.seq}::bigint = 0 or exists (
              select from activity where network_id = ${sql.lit(ROOT_NETWORK)} and seq = ${manifest.rootLog.seq}::bigint
                and encode(hash, 'hex') = ${manifest.rootLog.hash}) as "knowsRoot"`,
  );
  const { installation, knowsRoot } = row!;
  if (manifest.installation !== installation)
    throw new BackupDamaged(services.directory ? DAMAGE.otherCell : DAMAGE.otherInstallation);
  if (!knowsRoot) throw new BackupDamaged(DAMAGE.otherRootLog);
}

export function requireSameTimeZone({ timeZone }: Pick<Services, 'timeZone'>, manifest: Manifest): void {
  if (manifest.timeZone !== timeZone) throw new BackupDamaged(DAMAGE.otherTimeZone(manifest.timeZone, timeZone));
}
