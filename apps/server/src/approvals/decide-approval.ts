import type { Approval } from '@drawhouse/contract/approvals/approvals';
import { mayCall, mayDecide } from '@drawhouse/contract/core/permissions';
import type { Route } from '@drawhouse/contract/core/route';
import { effectivelyActive, type Actor } from '../accounts/authority.ts';
import { appendActivity, changeOf } from '../activity/append-activity.ts';
import { authorOf, runCommand } from '../activity/run-command.ts';
import { isSamePerson, requireSeparatePersons } from '../auth/logins/separate-persons.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { BoundRoute, Call, DoneAct, Guard } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { shareNetworkLock } from '../activity/network-work/network-work.ts';
import type { Services } from '../platform/services.ts';
import {
  approveRunning,
  askerOf,
  findApproval,
  lockWaiting,
  readAsker,
  toApproval,
  writeDecision,
  type StoredAct,
} from './approvals.sql.ts';
import { requeue } from './requeue-or-expire.ts';
import { countCreditOf, type CountCredit } from './request-approval.ts';
import { APPROVAL_SUBJECTS, APPROVAL_TEXTS } from './approvals-texts.ts';

/** Undefined if this server has no handler for the action. */
export type FindRoute = (act: Pick<StoredAct, 'method' | 'path'>) => BoundRoute<Actor> | undefined;

export interface ApprovalParts {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly findRoute: FindRoute;
  readonly countCredit: CountCredit;
}

const NO_FILES: ReadonlyMap<string, unknown> = new Map();

interface Answer {
  readonly message: string;
  readonly data: Approval;
}

/**
 * Runs the request as the account that asked, in the transaction that approves it. Judges state and both accounts as
 * they are now. Later concurrent approvals throw ALREADY_DECIDED. Work of several transactions runs between two: the
 * first marks the request as running, the completing one approves it.
 */
export async function approveRequest(
  { services, findRoute, countCredit }: ApprovalParts,
  call: Call<Actor>,
  id: string,
): Promise<Answer> {
  const { db, clock } = services;
  const { actor } = call;
  const act = await requireVisible(db, actor, id);
  requireOther(actor, act);
  requireWaiting(services, act);
  const bound = findRoute(act);
  if (!bound) throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.noAct });
  if (!mayDecide(bound.route, actor.permissions)) throw new CallError('NO_PERMISSION');
  await requireOwnGame(db, actor, act);
  const by = await readAsker(db, act, clock.now());
  if (!by || !mayCall(bound.route, by.permissions))
    throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.noLonger(askerOf(act)) });
  const approval = { call, act, route: bound.route };
  let isRun = false;
  let begun: Date | undefined;
  const guard: Guard = {
    approval: id,
    requestHash: act.input.requestHash,
    async judge(tx, done) {
      isRun = true;
      await countCreditOf(countCredit, tx, by, done, { at: clock.now(), timeZone: services.timeZone });
      const transferIds = done.flatMap(({ moves = [] }) => moves.map(({ transferId }) => transferId));
      const result = { ...done[0]!.detail, ...(transferIds.length > 0 && { transferIds }) };
      return noteApproval(services, tx, { ...approval, at: clock.now(), state: 'approved', result });
    },
    async begin(tx) {
      begun = clock.now();
      await noteApproval(services, tx, { ...approval, at: begun, state: 'running' });
    },
    async finish(tx) {
      if (!(await approveRunning(tx, act, begun!))) throw new CallError('ALREADY_DECIDED');
    },
  };
  // The requester downloads it; see request-approval.ts.
  if (act.kind === 'export')
    await db.transaction((tx) => guard.judge(tx, [{ ...act, amount: undefined, detail: undefined }]));
  else
    try {
      await bound.handler({ ...act.input, files: NO_FILES } as never, callOf(call, { act, by, guard }));
    } catch (error) {
      // If the database does not answer, `requeueInterrupted` does it later.
      if (begun) await requeue(services, act, begun).catch(() => {});
      throw error;
    }
  if (!isRun && !begun) {
    requireWaiting(services, await requireVisible(db, actor, id));
    throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.nothingLeft });
  }
  // Not reread: a restore may have ended the session and replaced the network.
  const decided = {
    state: 'approved',
    decidedAt: clock.now(),
    decidedBy: actor.personName,
    decidedById: actor.id,
    decidedByRole: actor.role,
    deciderChain: actor.chain,
    decidedLogin: null,
  } as const;
  const data = toApproval({ ...act, ...decided }, actor, bound.route, clock.now());
  return { message: APPROVAL_TEXTS.approved(act.subject), data };
}

function callOf(
  { aborted }: Call<Actor>,
  { act, by, guard }: { readonly act: StoredAct; readonly by: Actor; readonly guard: Guard },
): Call<Actor> {
  const noSession = (): never => {
    throw new Error('An approved request has no session.');
  };
  return {
    actor: by,
    get sessionId() {
      return noSession();
    },
    apiKey: undefined,
    guard,
    charge: () => {},
    origin: { url: act.url, method: act.method, ip: act.ip, userAgent: '' },
    header: () => undefined,
    idempotencyKey: act.key ?? undefined,
    markRepeated: () => {},
    aborted,
    token: undefined,
    device: undefined,
    setDeviceCookie: noSession,
    setSessionCookie: noSession,
  };
}

/** Logs the approver first, because the root's log is locked before others. */
async function noteApproval(
  services: Services,
  tx: Tx,
  {
    call: { actor, origin },
    act,
    route,
    at,
    state,
    result,
  }: {
    readonly call: Call<Actor>;
    readonly act: StoredAct;
    readonly route: Route;
    readonly at: Date;
    readonly state: 'approved' | 'running';
    readonly result?: object | undefined;
  },
): Promise<Pick<DoneAct, 'detail' | 'changes'>> {
  if (!(await lockWaiting(tx, act, at))) throw new CallError('ALREADY_DECIDED');
  await requireDecider(tx, actor, { act, route }, at);
  await writeDecision(tx, act, { state, by: actor, at, result });
  await appendActivity(tx, actor.networkId, services, [
    {
      ...authorOf(actor),
      subject: APPROVAL_SUBJECTS.approved(act.number, askerOf(act), act.subject),
      origin,
      detail: { approval: act.id, did: 'approved' },
    },
  ]);
  return {
    detail: { approvedRequest: act.id },
    changes: changeOf(APPROVAL_SUBJECTS.approvedBy, null, actor.personName),
  };
}

/** Reads rights again, because they may have changed since the call began. */
async function requireDecider(
  tx: Tx,
  actor: Actor,
  { act, route }: { readonly act: StoredAct; readonly route: Route },
  at: Date,
): Promise<void> {
  const { accountId, login } = act;
  await tx.query(
    sql`select from accounts where id = any(${[actor.id, accountId]}::uuid[]) order by id for share`.named(
      'approval-persons',
    ),
  );
  const active = await effectivelyActive(tx, [actor.id, accountId]);
  if (!active.has(actor.id)) throw new CallError('SESSION_ENDED');
  if (!active.has(accountId)) throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.noLonger(askerOf(act)) });
  const [asker, decider] = await requireSeparatePersons(tx, { id: accountId, login }, actor, at);
  if (!mayDecide(route, decider.permissions)) throw new CallError('NO_PERMISSION');
  // Keys have fewer rights than their login; `approveRequest` has checked them.
  if (act.keyName === null && !mayCall(route, asker.permissions))
    throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.noLonger(askerOf(act)) });
}

export async function declineRequest(
  services: Services,
  call: Call<Actor>,
  { id, findRoute }: Wanted,
  reason: string,
): Promise<Answer> {
  const { actor } = call;
  await runCommand(services, call, async (tx, at) => {
    const act = await lockVisible(tx, actor, id, at);
    requireOther(actor, act);
    const route = findRoute(act)?.route;
    if (route && !mayDecide(route, actor.permissions)) throw new CallError('NO_PERMISSION');
    await requireOwnGame(tx, actor, act);
    await writeDecision(tx, act, { state: 'declined', by: actor, at, reason });
    return {
      result: null,
      subject: APPROVAL_SUBJECTS.declined(act.number, askerOf(act), act.subject),
      detail: { approval: act.id, did: 'declined' },
      changes: changeOf(APPROVAL_SUBJECTS.reason, null, reason || null),
    };
  });
  return answerOf(services, actor, { id, findRoute }, APPROVAL_TEXTS.declined);
}

export async function withdrawRequest(
  services: Services,
  call: Call<Actor>,
  { id, findRoute }: Wanted,
): Promise<Answer> {
  const { actor } = call;
  await runCommand(services, call, async (tx, at) => {
    const act = await lockVisible(tx, actor, id, at);
    if (!isOwn(actor, act)) throw new CallError('NOT_ALLOWED', { message: APPROVAL_TEXTS.notYours });
    await writeDecision(tx, act, { state: 'withdrawn', by: actor, at });
    return {
      result: null,
      subject: APPROVAL_SUBJECTS.withdrawn(act.number, act.subject),
      detail: { approval: act.id, did: 'withdrawn' },
    };
  });
  return answerOf(services, actor, { id, findRoute }, APPROVAL_TEXTS.withdrawn);
}

interface Wanted {
  readonly id: string;
  readonly findRoute: FindRoute;
}

const isOwn = (actor: Actor, { accountId, login }: StoredAct): boolean => isSamePerson(actor, { id: accountId, login });

function requireOther(actor: Actor, act: StoredAct): void {
  if (isOwn(actor, act)) throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.own });
}

async function requireOwnGame(on: Queryable, { games }: Actor, { input }: StoredAct): Promise<void> {
  const gameKey = (input as { body?: { gameId?: unknown } }).body?.gameId;
  if (games.length === 0 || typeof gameKey !== 'string') return;
  const [own] = await on.query(sql`select from games where game_key = ${gameKey} and id = any(${[...games]}::uuid[])`);
  if (!own) throw new CallError('NO_PERMISSION');
}

async function requireVisible(on: Queryable, actor: Actor, id: string): Promise<StoredAct> {
  const act = await findApproval(on, actor, id);
  if (!act) throw new CallError('NOT_FOUND', { fields: { approvalId: APPROVAL_TEXTS.notFound } });
  return act;
}

async function lockVisible(tx: Tx, actor: Actor, id: string, at: Date): Promise<StoredAct> {
  const act = await requireVisible(tx, actor, id);
  if (act.networkId !== actor.networkId && !(await shareNetworkLock(tx, act.networkId)))
    throw new CallError('SESSION_ENDED');
  if (!(await lockWaiting(tx, act, at))) throw decidedError(act, at);
  return act;
}

function requireWaiting({ clock }: Services, act: StoredAct): void {
  if (act.state !== 'waiting' || act.expiresAt <= clock.now()) throw decidedError(act, clock.now());
}

function decidedError({ state, expiresAt }: StoredAct, now: Date): CallError {
  if (state === 'running') return new CallError('ALREADY_DECIDED', { message: APPROVAL_TEXTS.running });
  const isOver = state === 'expired' || (state === 'waiting' && expiresAt <= now);
  return new CallError('ALREADY_DECIDED', isOver ? { message: APPROVAL_TEXTS.expired } : {});
}

async function answerOf(
  { db, clock }: Services,
  actor: Actor,
  { id, findRoute }: Wanted,
  message: string,
): Promise<Answer> {
  const act = await requireVisible(db, actor, id);
  return { message, data: toApproval(act, actor, findRoute(act)?.route, clock.now()) };
}
