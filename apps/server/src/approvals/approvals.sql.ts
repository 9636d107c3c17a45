import type { Change } from '@drawhouse/contract/activity/activity';
import type { Approval } from '@drawhouse/contract/approvals/approvals';
import { APPROVAL_HOURS, type ApprovalState } from '@drawhouse/contract/approvals/approval-texts';
import { type Method, type Route } from '@drawhouse/contract/core/route';
import { pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import {
  byKey,
  effectivelyActive,
  KEY_COLUMNS,
  keyAuthor,
  type Actor,
  type KeyColumns,
} from '../accounts/authority.ts';
import { APPROVAL_TEXTS } from './approvals-texts.ts';
import { findSharedPassword, isSamePerson, readPersons } from '../auth/logins/separate-persons.ts';
import { LOGIN_COLUMNS, loginOf, personName, rightsOf, type LoginColumns } from '../auth/logins/person.ts';
import { mayDecide, type ApprovalKind } from '@drawhouse/contract/core/permissions';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import {
  eitherOf,
  inSubtreeEver,
  narrowPredicate,
  selectVisible,
  type Predicate,
} from '../platform/db/visibility-predicate.ts';

export interface ApprovalRow {
  readonly id: string;
  readonly networkId: number;
  readonly number: number;
  readonly accountId: string;
  readonly login: number;
  readonly username: string;
  readonly loginName: string | null;
  readonly keyName: string | null;
  readonly askedByRole: Role;
  readonly kind: ApprovalKind;
  readonly state: ApprovalState;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly decidedById: string | null;
  readonly decidedByRole: Role | null;
  readonly deciderChain: readonly string[] | null;
  readonly decidedLogin: string | null;
  readonly amount: bigint | null;
  readonly subject: string;
  readonly reason: string;
  readonly changes: Change[];
  readonly method: Method;
  readonly path: string;
}

export interface StoredAct extends ApprovalRow {
  readonly url: string;
  readonly ip: string;
  readonly key: string | null;
  readonly input: { readonly requestHash?: string };
}

const KEY_OF_REQUEST = sql`api_keys k on k.network_id = p.network_id and k.number = p.api_key`;

export const APPROVALS: Sql = sql`approvals p join accounts a on a.id = p.account_id left join ${loginOf('a', 'p')}
  left join ${KEY_OF_REQUEST}
  left join accounts decider on decider.id = p.decided_by
  left join logins dl on dl.network_id = decider.network_id and dl.account_id = decider.id and dl.number = p.decided_login`;

export const approvalColumns: Sql = sql`p.id, p.network_id as "networkId", p.number, p.account_id as "accountId", p.login,
  a.username, l.name as "loginName", k.name as "keyName", a.role as "askedByRole", p.kind, p.state, p.at, p.expires_at as "expiresAt",
  p.decided_at as "decidedAt", decider.username as "decidedBy",
  p.decided_by as "decidedById", decider.role as "decidedByRole", decider.chain as "deciderChain",
  dl.name as "decidedLogin", p.amount, p.subject, p.reason,
  p.changes, p.method, p.path`;

export const askerOf = ({ username, loginName, keyName }: ApprovalRow): string =>
  keyName === null ? personName(username, loginName) : keyAuthor(username, keyName);

/**
 * Requests that the actor made or may decide: those of accounts below, and for an admin those of its superadmin about
 * its network.
 */
export function visibleApprovals(actor: Actor): Predicate {
  // Replaced networks keep their rows for a day.
  const ofNetwork = sql`p.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'p.network_id')}
    and exists (select from networks live where live.id = p.network_id)`;
  const below = narrowPredicate(inSubtreeEver('a', actor), ofNetwork);
  if (actor.role !== 'admin') return below;
  return eitherOf(below, narrowPredicate(inSubtreeEver('a', { ...actor, id: actor.chain[0]! }), ofSuperadmin(actor)));
}

const ofSuperadmin = ({ networkId }: Actor): Sql => sql`p.network_id = ${networkId}::int and a.role = 'superadmin'`;

export async function findApproval(on: Queryable, actor: Actor, id: string): Promise<StoredAct | undefined> {
  const [row] = await on.query<StoredAct & object>(
    selectVisible({
      select: sql`${approvalColumns}, p.url, p.ip, p.key, p.input`,
      from: APPROVALS,
      authority: visibleApprovals(actor),
      where: sql`p.id = ${id}`,
    }),
  );
  return row;
}

/** True if the request was still waiting. Waits for a concurrent decision. */
export async function lockWaiting(
  tx: Tx,
  { networkId, number }: Pick<ApprovalRow, 'networkId' | 'number'>,
  at: Date,
): Promise<boolean> {
  const waiting = await tx.query(
    sql`select from approvals where network_id = ${networkId} and number = ${number} and state = 'waiting'
      and expires_at > ${at} for update`,
  );
  return waiting.length > 0;
}

export async function approveRunning(
  tx: Tx,
  { networkId, number }: Pick<ApprovalRow, 'networkId' | 'number'>,
  begun: Date,
): Promise<boolean> {
  const approved = await tx.query(
    sql`update approvals set state = 'approved' where network_id = ${networkId} and number = ${number} and state = 'running'
      and decided_at = ${begun} returning 1`,
  );
  return approved.length > 0;
}

export const expiryOf = (at: Date): Date => new Date(at.getTime() + APPROVAL_HOURS * 3_600_000);

interface Decision {
  readonly state: Exclude<ApprovalState, 'waiting' | 'expired'>;
  readonly by: Pick<Actor, 'id' | 'login'>;
  readonly at: Date;
  readonly reason?: string | undefined;
  readonly result?: object | undefined;
}

export async function writeDecision(
  tx: Tx,
  { networkId, number }: Pick<ApprovalRow, 'networkId' | 'number'>,
  { state, by, at, reason = '', result }: Decision,
): Promise<void> {
  await tx.query(
    sql`update approvals set state = ${state}, decided_by = ${by.id}, decided_login = ${by.login},
        decided_at = ${at}, reason = ${reason},
        result = ${result === undefined ? null : JSON.stringify(result)}::jsonb
      where network_id = ${networkId} and number = ${number}`,
  );
}

/**
 * Deciders are another login of the account, accounts above, and the network's admin for a request of its superadmin.
 * Excludes persons who may be the requester, because one knew the other's password.
 */
export async function hasDecider(
  on: Queryable,
  actor: Pick<Actor, 'id' | 'login' | 'role' | 'chain'>,
  {
    route,
    networkId,
    now,
  }: { readonly route: Pick<Route, 'access' | 'permission' | 'file'>; readonly networkId: number; readonly now: Date },
): Promise<boolean> {
  const admins =
    actor.role === 'superadmin' && networkId !== ROOT_NETWORK
      ? await on.query<{ id: string }>(sql`select admin_id as id from networks where id = ${networkId}`)
      : [];
  const persons = await readPersons(on, [...actor.chain, ...admins.map(({ id }) => id)]);
  const own = persons.find((person) => isSamePerson(person, actor));
  const others = persons.filter(
    (person) =>
      own && person !== own && mayDecide(route, person.permissions) && !findSharedPassword(own, person, persons, now),
  );
  const active = await effectivelyActive(
    on,
    others.map(({ id }) => id),
  );
  return active.size > 0;
}

export async function readAsker(
  on: Queryable,
  { networkId, number }: ApprovalRow,
  now: Date,
): Promise<Actor | undefined> {
  type Row = Pick<Actor, 'id' | 'networkId' | 'username' | 'role' | 'chain' | 'login'> &
    LoginColumns &
    (KeyColumns | { readonly key_number: null });
  const [row] = await on.query<Row>(
    sql`select a.id, a.network_id as "networkId", a.username, a.role, a.chain, p.login, ${LOGIN_COLUMNS}, ${KEY_COLUMNS}
      from approvals p join accounts a on a.id = p.account_id left join ${loginOf('a', 'p')} left join ${KEY_OF_REQUEST}
      where p.network_id = ${networkId} and p.number = ${number}
        and (p.login = 0 or (l.active and l.removed_at is null))
        and (p.api_key is null or (k.ended_at is null and (k.expires_at is null or k.expires_at > ${now})))`,
  );
  if (!row) return undefined;
  const { id, username, role, chain, login } = row;
  const asker = { id, networkId: row.networkId, username, role, chain, login, ...rightsOf(username, row) };
  return row.key_number === null ? asker : byKey(asker, row);
}

function mayDo(row: ApprovalRow, actor: Actor, route: Route | undefined): Approval['may'] {
  if (isSamePerson({ id: row.accountId, login: row.login }, actor)) return 'withdraw';
  return route && mayDecide(route, actor.permissions) ? 'decide' : 'nothing';
}

export function toApproval(row: ApprovalRow, actor: Actor, route: Route | undefined, now: Date): Approval {
  const isOver = row.state === 'waiting' && row.expiresAt <= now;
  const isWaiting = row.state === 'waiting' && !isOver;
  const isKnown = row.deciderChain?.includes(actor.id) ?? false;
  return {
    _id: row.id,
    number: row.number,
    kind: row.kind,
    subject: row.subject,
    amount: row.amount === null ? null : pointsOf(row.amount),
    askedBy: askerOf(row),
    askedById: row.accountId,
    askedByRole: row.askedByRole,
    askedAt: row.at.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    state: isOver ? 'expired' : row.state,
    decidedBy: row.decidedBy === null ? null : personName(row.decidedBy, row.decidedLogin),
    decidedById: isKnown ? row.decidedById : null,
    decidedByRole: isKnown ? row.decidedByRole : null,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
    changes: row.changes,
    may: isWaiting ? mayDo(row, actor, route) : 'nothing',
  };
}

interface StagedNetwork {
  readonly staged: number;
  readonly live: number;
  readonly moveId?: string | undefined;
  readonly approval?: string | undefined;
}

/**
 * Keeps rules and requests of the live network, so no restore weakens or forgets them, and ends requests waiting in the
 * staged copy. The copy holds this restore's request as approved, which becomes true exactly if the restore commits. A
 * moved network keeps its own. Throws ALREADY_DECIDED if the restore has lost its approval.
 */
export async function updateStagedApprovals(
  tx: Tx,
  { staged, live, moveId, approval }: StagedNetwork,
  at: Date,
): Promise<void> {
  if (moveId === undefined) await keepLive(tx, staged, live);
  const isThis = sql`id = ${approval ?? null}::uuid and state = 'running'`;
  const reason = moveId === undefined ? APPROVAL_TEXTS.endedByRestore : APPROVAL_TEXTS.endedByMove;
  const ended = await tx.query<{ id: string; state: ApprovalState }>(
    sql`update approvals set decided_at = case when ${isThis} then decided_at else ${at} end,
        reason = case when ${isThis} then reason else ${reason} end,
        state = (case when ${isThis} then 'approved' else 'expired' end)::approval_state
      where network_id = ${staged} and state in ('waiting', 'running') returning id, state`,
  );
  if (approval !== undefined && !ended.some(({ id, state }) => id === approval && state === 'approved'))
    throw new CallError('ALREADY_DECIDED');
}

const KEPT_COLUMNS = sql.raw(
  'number, id, account_id, login, kind, state, at, expires_at, decided_at, decided_by, decided_login, amount, method, path, url, ' +
    'ip, subject, reason, key, input, changes, result, api_key',
);

async function keepLive(tx: Tx, staged: number, live: number): Promise<void> {
  await tx.query(
    sql`update approvals s set state = l.state, decided_at = l.decided_at, decided_by = l.decided_by,
        decided_login = l.decided_login, reason = l.reason, result = l.result, expires_at = l.expires_at
      from approvals l where s.network_id = ${staged} and l.network_id = ${live} and l.id = s.id and s.state <> l.state`,
  );
  await tx.query(
    sql`insert into approvals (network_id, ${KEPT_COLUMNS}) select ${staged}, ${KEPT_COLUMNS} from approvals
        where network_id = ${live}
      on conflict do nothing`,
  );
  await tx.query(
    sql`update approval_rules s set above = null where s.network_id = ${staged}
      and not exists (select from approval_rules l where l.network_id = ${live} and l.kind = s.kind)`,
  );
  await tx.query(
    sql`insert into approval_rules (network_id, kind, above) select ${staged}, kind, above from approval_rules
        where network_id = ${live}
      on conflict (network_id, kind) do update set above = excluded.above`,
  );
}

export async function endRequestsOfKeys(
  tx: Tx,
  { networkId, keys }: { readonly networkId: number; readonly keys: readonly number[] },
  at: Date,
): Promise<void> {
  await tx.query(
    sql`update approvals set state = 'withdrawn', decided_at = ${at}, reason = ${APPROVAL_TEXTS.keyEnded}
      where network_id = ${networkId} and state = 'waiting' and api_key = any(${[...keys]}::smallint[])`,
  );
}

interface WaitingRequests {
  readonly admin: string | null;
  readonly count: number;
  readonly until: Date;
}

export async function countWaiting(on: Queryable, actor: Actor, now: Date): Promise<number> {
  return (await waitingByNetwork(on, actor, now)).reduce((sum, { count }) => sum + count, 0);
}

/** Requests of others, with the first expiry. */
export async function waitingByNetwork(on: Queryable, actor: Actor, now: Date): Promise<WaitingRequests[]> {
  return on.query<WaitingRequests & object>(
    selectVisible({
      select: sql`(select admin.username from networks n join accounts admin on admin.id = n.admin_id
          where n.id = p.network_id) as admin, count(*)::int as count, min(p.expires_at) as until`,
      from: APPROVALS,
      authority: visibleApprovals(actor),
      where: sql`p.state = 'waiting' and p.expires_at > ${now} and not (p.account_id = ${actor.id} and p.login = ${actor.login})`,
      by: sql`p.network_id`,
    }),
  );
}
