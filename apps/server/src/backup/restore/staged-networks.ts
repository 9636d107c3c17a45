import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import type { NetworkWork } from '../../activity/network-work/network-work.ts';

/** A restore can be undone this long. */
export const KEPT_MS = 24 * 3_600_000;
const PIECE_ROWS = 10_000;

/** A network outside the live tree: staged by a restore, or replaced by one. */
export interface StagedNetwork {
  readonly id: number;
  readonly adminId: string;
  readonly state: 'staged' | 'replaced';
  readonly since: Date;
  /** Position in the root's log at that time. */
  readonly rootLog: bigint;
}

const COLUMNS = 'id, of_admin as "adminId", state, since, root_log as "rootLog"';

export async function reserveStagedNetwork(
  { db, clock }: Services,
  { adminId, rootLog }: { readonly adminId: string; readonly rootLog: bigint },
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into networks_beside (id, of_admin, since, root_log, wallets, state)
     values (next_network(), $1, $2, $3, 0, 'staged') returning id`,
    [adminId, clock.now(), rootLog],
  );
  return row!.id;
}

export async function dropStagedNetwork(on: Queryable, id: number): Promise<void> {
  for (;;) {
    const [row] = await on.query<{ gone: bigint }>('select delete_beside($1, $2) as gone', [id, PIECE_ROWS]);
    if (row!.gone === 0n) return;
  }
}

export async function lastReplaced(on: Queryable, adminId: string, now: Date): Promise<StagedNetwork | undefined> {
  const [row] = await on.query<StagedNetwork>(
    `select ${COLUMNS} from networks_beside where of_admin = $1 and state = 'replaced' and since > $2 order by since desc, id desc limit 1`,
    [adminId, new Date(now.getTime() - KEPT_MS)],
  );
  return row;
}

/** Deletes expired or superseded replaced networks, and leftovers of killed restores. */
export async function sweepStagedNetworks({ db, clock }: Services, work: NetworkWork): Promise<void> {
  const all = await db.query<StagedNetwork>(`select ${COLUMNS} from networks_beside order by since desc, id desc`);
  for (const beside of all) {
    const { id, adminId, since } = beside;
    const isLast = all.find((other) => other.adminId === adminId && other.state === 'replaced') === beside;
    const isKept = isLast && since.getTime() > clock.now().getTime() - KEPT_MS;
    // Running work may be the undo that needs it.
    if (!isKept && (await work.latest(adminId))?.finishedAt !== null) await dropStagedNetwork(db, id);
  }
}
