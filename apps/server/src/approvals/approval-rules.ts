import {
  APPROVAL_KINDS,
  decidingPermission,
  PERMISSIONS,
  type ApprovalKind,
} from '@drawhouse/contract/core/permissions';
import {
  ALWAYS_APPROVED,
  RULED_KINDS,
  setApprovalRules,
  type ApprovalRule,
} from '@drawhouse/contract/approvals/approvals';
import type { Route } from '@drawhouse/contract/core/route';
import { PERMISSION_NAMES } from '@drawhouse/contract/logins/login-texts';
import { hundredthsOf, pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import { lockApprovalRules } from '../auth/logins/logins.sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { ISSUANCE } from '../ledger/wallets.ts';
import { movedSince } from '../ledger/movements.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import type { Call, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { hasDecider } from './approvals.sql.ts';
import { APPROVAL_SUBJECTS, APPROVAL_TEXTS } from './approvals-texts.ts';

/** These concern no network of an admin. */
const OF_HOUSE_ONLY: readonly ApprovalRule['kind'][] = ['issue', 'pays'];
/** The root's rules include what its superadmins do to networks. */
const OF_HOUSE: readonly ApprovalRule['kind'][] = ['issue', 'credit', 'pays', 'commission', 'guards'];

type Rules = ReadonlyMap<ApprovalKind, bigint | null>;

/** Absent kinds need no approval. */
async function readRules(on: Queryable, networkId: number): Promise<Rules> {
  const rows = await on.query<{ kind: ApprovalKind; above: bigint | null }>(
    sql`select kind, above from approval_rules where network_id = ${networkId}`,
  );
  return new Map(rows.map(({ kind, above }) => [kind, above]));
}

/** Weakening a rule always needs it. */
export async function needsApproval(tx: Tx, actor: Pick<Actor, 'id'>, act: GuardedAct, now: Date): Promise<boolean> {
  if (ALWAYS_APPROVED.some((kind) => kind === act.kind)) return true;
  for (const networkId of act.ruledBy ?? [act.networkId]) {
    const above = (await readRules(tx, networkId)).get(act.kind);
    if (above === undefined || above === null) continue;
    if (act.amount === undefined || act.amount > above) return true;
    const since = dayBefore(now);
    for (const { networkId: of, wallet } of act.moves ?? []) {
      const without = await approvedTransfers(tx, actor, [ROOT_NETWORK, of], since);
      const moved =
        wallet === ISSUANCE
          ? await sentSince(tx, since, without)
          : await movedSince(tx, { networkId: of, wallet, actorId: actor.id, since, without });
      if (moved > above) return true;
    }
  }
  return false;
}

/** Gifts to other cells and take-backs, on their way or applied. A take-back has no transfer yet. */
async function sentSince(on: Queryable, since: Date, without: readonly string[]): Promise<bigint> {
  const [row] = await on.query<{ sum: bigint }>(
    sql`select coalesce(sum(amount), 0)::bigint as sum from sent_credit
      where at > ${since} and refusal is null and id <> all(${[...without]}::uuid[])
        and (transfer_id is null or transfer_id <> all(${[...without]}::uuid[]))`,
  );
  return row!.sum;
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - 86_400_000);

async function approvedTransfers(
  tx: Tx,
  { id }: Pick<Actor, 'id'>,
  networks: readonly number[],
  since: Date,
): Promise<string[]> {
  const approved = await Promise.all(
    [...new Set(networks)].map((ruledBy) =>
      tx.query<{ transferId: string }>(
        sql`select jsonb_array_elements_text(result -> 'transferIds') as "transferId" from approvals
          where network_id = ${ruledBy} and account_id = ${id} and state = 'approved' and decided_at > ${since}
            and result ? 'transferIds'`,
      ),
    ),
  );
  return approved.flat().map(({ transferId }) => transferId);
}

interface Ruled {
  readonly networkId: number;
  readonly username: string;
  readonly kinds: readonly ApprovalRule['kind'][];
}

/** Throws NOT_FOUND unless `adminId` is an admin below, or the caller itself, whose rules are the root's. */
async function requireRuled(on: Queryable, actor: Actor, adminId: string): Promise<Ruled> {
  if (adminId === actor.id) return { networkId: ROOT_NETWORK, username: actor.username, kinds: OF_HOUSE };
  const [admin] = await on.query<{ networkId: number; username: string }>(
    sql`select a.network_id as "networkId", a.username from accounts a
      where a.id = ${adminId} and a.role = 'admin' and ${inSubtree('a', actor)}`,
  );
  if (!admin) throw new CallError('NOT_FOUND', { fields: { adminId: APPROVAL_TEXTS.noAdmin } });
  return { ...admin, kinds: RULED_KINDS.filter((kind) => !OF_HOUSE_ONLY.includes(kind)) };
}

function shownRules({ kinds }: Ruled, rules: Rules): { kind: ApprovalRule['kind']; above: number | null }[] {
  return kinds.map((kind) => {
    const above = rules.get(kind) ?? null;
    return { kind, above: above === null ? null : pointsOf(above) };
  });
}

export async function showRules(
  on: Queryable,
  actor: Actor,
  adminId: string,
): Promise<{ data: ReturnType<typeof shownRules> }> {
  const ruled = await requireRuled(on, actor, adminId);
  return { data: shownRules(ruled, await readRules(on, ruled.networkId)) };
}

export async function setRules(
  { services, routes }: { readonly services: Services; readonly routes: readonly Route[] },
  call: Call<Actor>,
  adminId: string,
  wanted: readonly ApprovalRule[],
): Promise<{ message: string; data: ReturnType<typeof shownRules> }> {
  return runCommand(services, call, async (tx, at) => {
    const ruled = await requireRuled(tx, call.actor, adminId);
    const { networkId, username } = ruled;
    await lockApprovalRules(tx, networkId);
    const before = await readRules(tx, networkId);
    const after = new Map(before);
    for (const [index, { kind, above }] of wanted.entries()) {
      if (!ruled.kinds.includes(kind)) throw wrongKind(index, kind);
      after.set(kind, above === null ? null : hundredthsOf(above));
      await tx.query(
        sql`insert into approval_rules (network_id, kind, above) values (${networkId}, ${kind}, ${after.get(kind)})
          on conflict (network_id, kind) do update set above = excluded.above
          where approval_rules.above is distinct from excluded.above`,
      );
    }
    const changes = ruled.kinds.flatMap((kind) =>
      changeOf(APPROVAL_KINDS[kind], inWords(before.get(kind)), inWords(after.get(kind))),
    );
    const stricter = ruled.kinds.filter((kind) => strengthOf(after.get(kind)) < strengthOf(before.get(kind)));
    if (stricter.length > 0 && networkId === ROOT_NETWORK)
      await requireDeciders(tx, call.actor, [setApprovalRules, ...guardedBy(stricter, routes)], at);
    const isWeaker = ruled.kinds.some((kind) => strengthOf(after.get(kind)) > strengthOf(before.get(kind)));
    return {
      result: { message: APPROVAL_TEXTS.rulesSaved, data: shownRules(ruled, after) },
      subject: changes.length === 0 ? null : APPROVAL_SUBJECTS.rules(username),
      detail: { adminId, approvalRules: shownRules(ruled, after) },
      changes,
      guarded: isWeaker ? [{ kind: 'rules', networkId }] : [],
    };
  });
}

const guardedBy = (kinds: readonly ApprovalKind[], routes: readonly Route[]): Route[] =>
  routes.filter(
    ({ access, approval }) => access.includes('superadmin') && approval?.some((kind) => kinds.includes(kind)),
  );

/** A rule that nobody could satisfy would stop the superadmin for good. */
async function requireDeciders(tx: Tx, actor: Actor, acts: readonly Route[], now: Date): Promise<void> {
  const missing = [];
  for (const permission of PERMISSIONS) {
    const route = acts.find((act) => decidingPermission(act) === permission);
    if (route && !(await hasDecider(tx, actor, { route, networkId: ROOT_NETWORK, now })))
      missing.push(PERMISSION_NAMES[permission]);
  }
  if (missing.length > 0) throw new CallError('RULE_REFUSED', { message: APPROVAL_TEXTS.nobodyForRoot(missing) });
}

function wrongKind(index: number, kind: ApprovalRule['kind']): CallError {
  const message = OF_HOUSE_ONLY.includes(kind) ? APPROVAL_TEXTS.ofHouse : APPROVAL_TEXTS.ofNetwork;
  return new CallError('RULE_REFUSED', { fields: { [`rules.${index}.kind`]: message } });
}

const inWords = (above: bigint | null | undefined): string =>
  above === null || above === undefined ? APPROVAL_SUBJECTS.none : APPROVAL_SUBJECTS.above(pointsText(above));

const strengthOf = (above: bigint | null | undefined): number => Number(above ?? Infinity);
