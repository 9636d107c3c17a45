import type { Queryable } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { NetworkWork } from '../network-work/network-work.ts';

/** So long what a restore has replaced can be brought back. */
export const KEPT_MS = 24 * 3_600_000;
/** So many rows are deleted in one transaction. */
const PIECE_ROWS = 10_000;

/** A network that stands beside: one that a backup is loaded into, or one that a restore has replaced. */
export interface Beside {
  readonly id: number;
  readonly adminId: string;
  readonly state: 'staged' | 'replaced';
  readonly since: Date;
  /** How far the log of the root had come when it was so. */
  readonly rootLog: bigint;
}

const COLUMNS = 'id, of_admin as "adminId", state, since, root_log as "rootLog"';

/** Makes room for a network beside that of an admin, and gives its number. */
export async function openBeside(
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

/** Deletes what stands beside, in transactions of bounded size. */
export async function dropBeside(on: Queryable, id: number): Promise<void> {
  for (;;) {
    const [row] = await on.query<{ gone: bigint }>('select delete_beside($1, $2) as gone', [id, PIECE_ROWS]);
    if (row!.gone === 0n) return;
  }
}

/** The network that the last restore of an admin has replaced, as long as it can be brought back. */
export async function lastReplaced(on: Queryable, adminId: string, now: Date): Promise<Beside | undefined> {
  const [row] = await on.query<Beside>(
    `select ${COLUMNS} from networks_beside where of_admin = $1 and state = 'replaced' and since > $2 order by since desc, id desc limit 1`,
    [adminId, new Date(now.getTime() - KEPT_MS)],
  );
  return row;
}

/** Deletes what can't be brought back any more, of several that were replaced all but the last, and what a killed server has left of a restore that is not under way. */
export async function forgetBeside({ db, clock }: Services, work: NetworkWork): Promise<void> {
  const all = await db.query<Beside>(`select ${COLUMNS} from networks_beside order by since desc, id desc`);
  for (const beside of all) {
    const { id, adminId, since } = beside;
    const isLast = all.find((other) => other.adminId === adminId && other.state === 'replaced') === beside;
    const isKept = isLast && since.getTime() > clock.now().getTime() - KEPT_MS;
    // What is under way may be what brings it back.
    if (!isKept && (await work.latest(adminId))?.finishedAt !== null) await dropBeside(db, id);
  }
}
