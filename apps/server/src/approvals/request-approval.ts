import { APPROVAL_HOURS } from '@drawhouse/contract/approvals/approval-texts';
import type { Route } from '@drawhouse/contract/core/route';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import { shareNetworkLock } from '../activity/network-work/network-work.ts';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { BoundRoute, Call, DoneAct, Guard, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { needsApproval } from './approval-rules.ts';
import { expiryOf, hasDecider } from './approvals.sql.ts';
import { APPROVAL_SUBJECTS, APPROVAL_TEXTS, futureOf } from './approvals-texts.ts';

interface Input {
  readonly params?: object;
  readonly query?: object;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: ReadonlyMap<string, unknown>;
}

class ApprovalNeeded extends Error {
  readonly act: DoneAct;

  constructor(act: DoneAct) {
    super('This act needs an approval.');
    this.act = { ...act, subject: futureOf(act.subject) };
  }
}

const NOTHING_TO_LOG = { detail: undefined, changes: [] } as const;

export type CountCredit = (
  tx: Tx,
  actor: Actor,
  amount: bigint,
  now: { readonly at: Date; readonly timeZone: string },
) => Promise<void>;

export async function countCreditOf(
  count: CountCredit,
  tx: Tx,
  actor: Actor,
  acts: readonly GuardedAct[],
  now: Parameters<CountCredit>[3],
): Promise<void> {
  const amount = acts.reduce((sum, act) => sum + (act.kind === 'credit' ? act.amount! : 0n), 0n);
  if (actor.apiKey && amount > 0n) await count(tx, actor, amount, now);
}

function askingGuard(
  { clock, timeZone }: Services,
  count: CountCredit,
  call: Call<Actor>,
  { method, path, approval }: Route,
): Guard {
  return {
    approval: undefined,
    async judge(tx, acts) {
      for (const act of acts) await requireUndone(tx, call, act, path);
      const other = acts.find(({ kind }) => approval?.includes(kind) !== true);
      if (other)
        throw new Error(`The contract does not say that ${method} ${path} may need an approval for ${other.kind}.`);
      for (const act of acts)
        if (
          (await needsApproval(tx, call.actor, act, clock.now())) &&
          !(await isGranted(tx, call.actor, act, clock.now()))
        )
          throw act.apart ? refused(act.apart) : new ApprovalNeeded(act);
      await countCreditOf(count, tx, call.actor, acts, { at: clock.now(), timeZone });
      return NOTHING_TO_LOG;
    },
    begin: async () => {},
    finish: async () => {},
  };
}

/**
 * Throws ALREADY_DECIDED if the call repeats an approved one and would act again. Commands that store answers by key
 * return them before.
 */
async function requireUndone(
  tx: Tx,
  { actor: { id, login }, idempotencyKey: key }: Call<Actor>,
  { kind, networkId }: DoneAct,
  path: string,
): Promise<void> {
  if (key === undefined || kind === 'export') return;
  const [done] = await tx.query<{ id: string }>(
    sql`select id from approvals where network_id = ${networkId} and account_id = ${id} and login = ${login} and key = ${key}
      and path = ${path} and state = 'approved' limit 1`.named('approval-done'),
  );
  if (done) throw new CallError('ALREADY_DECIDED', { message: APPROVAL_TEXTS.done, approval: done.id });
}

const refused = ({ field, message }: NonNullable<GuardedAct['apart']>): CallError =>
  new CallError('RULE_REFUSED', { message, fields: { [field]: message } });

/** An approved export may be downloaded for a day. */
async function isGranted(tx: Tx, { id, login, apiKey }: Actor, act: DoneAct, now: Date): Promise<boolean> {
  if (act.kind !== 'export') return false;
  const since = new Date(now.getTime() - APPROVAL_HOURS * 3_600_000);
  const granted = await tx.query(
    sql`select from approvals where network_id = ${act.networkId} and account_id = ${id} and login = ${login}
      and api_key is not distinct from ${apiKey?.number ?? null}::smallint and kind = 'export'
      and subject = ${act.subject} and state = 'approved' and decided_at > ${since} limit 1`,
  );
  return granted.length > 0;
}

/** Runs the command and rolls it back, to prove it possible and learn what it changes, then stores the request. */
export function guardCalls(services: Services, bound: BoundRoute<Actor>, count: CountCredit): BoundRoute<Actor> {
  const { route, handler } = bound;
  if (route.access === 'public') return bound;
  return {
    ...bound,
    async handler(input, call) {
      call.guard = askingGuard(services, count, call, route);
      try {
        return await handler(input, call);
      } catch (error) {
        if (!(error instanceof ApprovalNeeded)) throw error;
        const approval = await requestApproval(services, call, { route, input, act: error.act });
        throw new CallError('APPROVAL_PENDING', { approval });
      }
    },
  };
}

interface Request {
  readonly route: Route;
  readonly input: Input;
  readonly act: DoneAct;
}

interface Repeatable {
  readonly key: string;
  readonly stored: string;
  /** Undefined if the command stores no answers by key. */
  readonly requestHash: string | undefined;
  readonly route: Route;
}

async function requestApproval(services: Services, call: Call<Actor>, { route, input, act }: Request): Promise<string> {
  const { actor, origin, idempotencyKey: key } = call;
  const { networkId, subject } = act;
  const requestHash = call.guard?.requestHash;
  const stored = JSON.stringify({
    ...storedInput(route, input, act),
    ...(requestHash !== undefined && { requestHash }),
  });
  return runCommand(services, { actor, origin }, async (tx, at) => {
    if (networkId !== actor.networkId && !(await shareNetworkLock(tx, networkId))) throw new CallError('SESSION_ENDED');
    // Numbers must be unique, and a repeated call must find the first.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('approvals ' || ${networkId}::int, 0))`);
    const waiting =
      key === undefined ? undefined : await findRepeated(tx, networkId, actor, { key, stored, requestHash, route });
    if (waiting !== undefined) return { result: waiting, subject: null };
    if (!(await hasDecider(tx, actor, { route, networkId, now: at })))
      throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.nobody });
    const id = services.newId();
    const expiresAt = expiryOf(at);
    await tx.query(
      sql`insert into approvals (network_id, number, id, account_id, login, kind, at, expires_at, amount, method, path, url, ip,
          subject, key, input, changes, api_key)
        select ${networkId}, coalesce(max(number), 0) + 1, ${id}, ${actor.id}, ${actor.login}, ${act.kind}, ${at}, ${expiresAt},
          ${act.amount ?? null}, ${route.method}, ${route.path}, ${origin.url}, ${origin.ip}, ${subject}, ${key ?? null},
          ${stored}::jsonb, ${JSON.stringify(act.changes)}::jsonb, ${actor.apiKey?.number ?? null}::smallint
        from approvals where network_id = ${networkId}`,
    );
    return {
      result: id,
      subject: APPROVAL_SUBJECTS.asked(subject),
      detail: { approval: id, did: 'asked' },
      changes: act.changes,
    };
  });
}

/** Throws IDEMPOTENCY_CONFLICT if its action differs. */
async function findRepeated(
  tx: Tx,
  networkId: number,
  { id, login }: Actor,
  { key, stored, requestHash, route }: Repeatable,
): Promise<string | undefined> {
  const [found] = await tx.query<{ id: string; same: boolean }>(
    sql`select id, coalesce(input ->> 'requestHash' = ${requestHash ?? null}, input = ${stored}::jsonb)
        and method = ${route.method} and path = ${route.path} as same from approvals
      where network_id = ${networkId} and account_id = ${id} and login = ${login} and key = ${key}
        and state in ('waiting', 'running')`,
  );
  if (found && !found.same) throw new CallError('IDEMPOTENCY_CONFLICT');
  return found?.id;
}

/** Leaves out passwords, which approval does not need. Throws for what cannot wait. */
function storedInput({ sensitive }: Route, { params, query, body, files }: Input, { pins }: DoneAct): Input {
  const { password, ...rest } = body ?? {};
  if (password !== undefined && sensitive !== 'asks')
    throw new CallError('RULE_REFUSED', { fields: { password: APPROVAL_TEXTS.passwordApart } });
  // Calls with other passwords refuse to wait (`apart`).
  if (/"\w*pass\w*":/i.test(JSON.stringify(rest))) throw new Error('A request for approval must not store a password.');
  if (files && files.size > 0) throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.filesApart });
  return { ...(params && { params }), ...(query && { query }), ...(body && { body: { ...rest, ...pins } }) };
}
