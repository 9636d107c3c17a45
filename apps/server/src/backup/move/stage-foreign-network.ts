import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import type { DedicatedConnection } from '../../platform/db/connection/dedicated-connections.ts';
import { areTermsOf, TERMS } from '../../draws/draw-terms.ts';
import { CATALOGUE_TABLES, type MovedCatalogue } from '../../games/catalogue/add-moved-games.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { Services } from '../../platform/services.ts';
import { TABLE_OWNERS } from '../../config/tables/table-owners.ts';
import { BackupDamaged, type Manifest, type ManifestFile } from '../take/archive/manifest.ts';
import { compareFile, withLoaded, type Loading } from '../load/load-rows.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { DAMAGE } from '../backup-texts.ts';

export interface ForeignStaging {
  readonly id: string;
  readonly superadmin: string;
  /** Adds missing catalogue games. Runs first. */
  readonly addGames: (elsewhere: MovedCatalogue) => Promise<void>;
  readonly replicated?: ReplicatedRows | undefined;
}

export interface ReplicatedRows {
  readonly number: number;
  /** Both cells record the move under this id. */
  readonly moveId: string;
  readonly tables: ReadonlySet<string>;
  /** Hashes of files that a trial has loaded. Shared rows among them are already here. */
  readonly tried: ReadonlySet<string>;
  /** The earlier cell. The audit of the group compares its log. */
  readonly from: string;
}

export function isCatalogueTable(table: string): table is keyof MovedCatalogue {
  return (CATALOGUE_TABLES as readonly string[]).includes(table);
}

export async function readCatalogue(
  client: DedicatedConnection,
  files: readonly ManifestFile[],
  loading: Loading,
): Promise<MovedCatalogue> {
  const read: Partial<Record<keyof MovedCatalogue, string>> = {};
  for (const file of files)
    if (isCatalogueTable(file.table) && file.rows === 0) {
      await compareFile(file, loading);
      read[file.table] = '[]';
    } else if (isCatalogueTable(file.table))
      await withLoaded(client, file, loading, async () => {
        const { rows } = await client.query<{ rows: string }>(
          sql`select coalesce(jsonb_agg(to_jsonb(l)), '[]')::text as rows from loaded l`,
        );
        read[file.table as keyof MovedCatalogue] = rows[0]!.rows;
      });
  return read as MovedCatalogue;
}

export function loadRootLogExtract(
  client: DedicatedConnection,
  file: ManifestFile,
  loading: Loading,
  moveId: string,
): Promise<void> {
  const columns = sql.raw(file.columns.join(', '));
  return withLoaded(client, file, loading, () =>
    client.query(sql`insert into public.moved_activity (move_id, ${columns}) select ${moveId}, ${columns} from loaded`),
  );
}

/**
 * Rebases log positions and boundary versions, so that 0 is the local root's present. Replaces the foreign superadmin
 * by the local parent, and empties the chain of that superadmin's own rows.
 */
export function rebaseRootColumns(
  table: string,
  { rootLog, borderVersion }: Manifest,
  { from, to }: { readonly from: string; readonly to: string },
): Record<string, Sql> {
  const [there, here] = [sql`${from}::uuid`, sql`${to}::uuid`];
  const instead = {
    log: (name: Sql) => sql`${name} - ${rootLog.seq}::bigint`,
    border: (name: Sql) => sql`${name} - ${borderVersion}::bigint`,
    superadmin: (name: Sql) => sql`case ${name} when ${there} then ${here} else ${name} end`,
    // A returning network has rows of a superadmin who was foreign meanwhile.
    chain: (name: Sql) =>
      from === to
        ? name
        : sql`case when ${name} = '{}' and account_id in (select id from public.accounts where role = 'superadmin')
            then array[account_id]
          when ${name} = array[${there}] then '{}' when ${name}[1] = ${there} then ${here} || ${name}[2:] else ${name} end`,
  };
  const columns = Object.entries(TABLE_OWNERS[table]!.ofRoot ?? {});
  return Object.fromEntries(columns.map(([name, means]) => [name, instead[means](sql.ref(name))]));
}

export async function readForeignSuperadmin(client: DedicatedConnection, number: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    sql`select chain[1] as id from staged_accounts where network_id = ${number} and role = 'admin'`,
  );
  if (!rows[0]) throw new BackupDamaged(DAMAGE.noAdmin);
  return rows[0].id;
}

/** Terms with a wrong id would apply to other networks' draws. */
export async function requireTerms(client: DedicatedConnection): Promise<void> {
  type Row = Omit<DrawTerms, 'unit_price'> & { readonly id: string; readonly unit_price: string };
  const { rows } = await client.query<Row>(sql`select ${sql.raw(TERMS)} from loaded`);
  for (const { id, unit_price, ...terms } of rows)
    if (!areTermsOf(id, { ...terms, unit_price: BigInt(unit_price) })) throw new BackupDamaged(DAMAGE.otherTerms(id));
}

/**
 * An untrusted backup must not reuse another network's draw id, because lookups would show the wrong draw. Staged and
 * replaced networks count too, since they may return.
 */
export async function requireOwnDraws({ db }: Pick<Services, 'db'>, number: number, adminId: string): Promise<void> {
  const [found] = await db.patient.query<{ draws: bigint }>(
    sql`with own as (
       select id from networks where admin_id = ${adminId} union all select id from staged_networks where of_admin = ${adminId}
     ), every as (select network_id, id from draws union all select network_id, id from undone_draws)
     select count(distinct e.id) as draws from every e join every s on s.network_id = ${number} and s.id = e.id
     where e.network_id not in (select id from own) ${sql.raw(crossNetworkComment('named'))}`,
  );
  if (found!.draws > 0n) throw new BackupDamaged(DAMAGE.foreignDraws(found!.draws));
}

/** Throws if the root's log rows mention foreign accounts, or its earlier moves postdate it. */
export async function requireSelfContained({ db, clock }: Services, number: number, adminId: string): Promise<void> {
  const [found] = await db.patient.query<{ told: bigint; moves: bigint }>(
    sql`with own as (select id::text from staged_accounts where network_id = ${number})
     select (select count(*) from moved_activity l where l.network_id = ${number} and (
               (l.detail ? 'accountId' and l.detail ->> 'accountId' not in (select id from own))
               or (l.detail ? 'limits' and l.detail ->> 'adminId' is distinct from ${adminId}::uuid::text)
               or exists (select from jsonb_path_query(l.detail, '$.percentages[*]') as told
                 where told ->> 'adminId' is distinct from ${adminId}::uuid::text))) as told,
            (select count(*) from moves m where m.network_id = ${number} and (m.at > ${clock.now()} or m.border_version > (
               select version from wallets where network_id = ${number} and owner_id = ${adminId}::uuid
                 and kind = ${sql.lit(WALLET_KINDS.boundary)}))) as moves`,
  );
  const { told, moves } = found!;
  if (told > 0n) throw new BackupDamaged(DAMAGE.foreignRows(told));
  if (moves > 0n) throw new BackupDamaged(DAMAGE.laterMoves(moves));
}
