import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import { isWorkRunning, shareNetworkLock } from '../activity/network-work/network-work.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { expiryOf, type StoredAct } from './approvals.sql.ts';
import { APPROVAL_SUBJECTS } from './approvals-texts.ts';

export async function requeueInterrupted(services: Services): Promise<void> {
  const running = await services.db.query<RunningRequest & { adminId: string }>(
    sql`select p.id, p.network_id as "networkId", p.decided_at as "decidedAt", n.admin_id as "adminId" from approvals p
      join networks n on n.id = p.network_id where p.state = 'running' ${sql.raw(crossNetworkComment('expiry'))}`.named(
      'approvals-running',
    ),
  );
  for (const { adminId, decidedAt, ...act } of running)
    if (!(await isWorkRunning(services.db, adminId))) await requeue(services, act, decidedAt!);
}

type RunningRequest = Pick<StoredAct, 'id' | 'networkId' | 'decidedAt'>;

export async function requeue(
  services: Services,
  { id, networkId }: Pick<RunningRequest, 'id' | 'networkId'>,
  begun: Date,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    if (!(await shareNetworkLock(tx, networkId))) return;
    const at = services.clock.now();
    const [again] = await tx.query<LoggedRequest>(
      sql`update approvals p set state = 'waiting', decided_at = null, decided_by = null, decided_login = 0,
          expires_at = greatest(p.expires_at, ${expiryOf(at)})
        from accounts a where a.id = p.account_id and p.network_id = ${networkId} and p.id = ${id} and p.state = 'running'
          and p.decided_at = ${begun} returning p.id, p.number, a.username as "askedBy", p.subject`,
    );
    if (again)
      await logSystem(services, tx, networkId, [again], { did: 'requeued', in: APPROVAL_SUBJECTS.interrupted });
  });
}

export async function expireRequests(services: Services): Promise<void> {
  const { db, clock } = services;
  const networks = await db.query<{ id: number }>(
    sql`select distinct network_id as id from approvals
      where state = 'waiting' and expires_at <= ${clock.now()} ${sql.raw(crossNetworkComment('expiry'))}`.named(
      'approvals-due',
    ),
  );
  for (const { id } of networks) await db.transaction((tx) => expireIn(services, tx, id));
}

async function expireIn(services: Services, tx: Tx, networkId: number): Promise<void> {
  if (!(await shareNetworkLock(tx, networkId))) return;
  const at = services.clock.now();
  const due = await tx.query<LoggedRequest>(
    sql`update approvals p set state = 'expired', decided_at = ${at} from accounts a
      where a.id = p.account_id and p.network_id = ${networkId} and p.state = 'waiting' and p.expires_at <= ${at}
      returning p.id, p.number, a.username as "askedBy", p.subject`,
  );
  await logSystem(services, tx, networkId, due, { did: 'expired', in: APPROVAL_SUBJECTS.expired });
}

interface LoggedRequest {
  readonly id: string;
  readonly number: number;
  readonly askedBy: string;
  readonly subject: string;
}

async function logSystem(
  services: Services,
  tx: Tx,
  networkId: number,
  requests: readonly LoggedRequest[],
  what: { readonly did: string; readonly in: (number: number, askedBy: string, subject: string) => string },
): Promise<void> {
  const entries = requests.map(({ id, number, askedBy, subject }) => ({
    accountId: null,
    username: SYSTEM,
    subject: what.in(number, askedBy, subject),
    origin: NOWHERE,
    detail: { approval: id, did: what.did },
  }));
  await appendActivity(tx, networkId, services, entries);
}
