import {
  approvalRules,
  approvals,
  approve,
  decline,
  setApprovalRules,
  withdraw,
} from '@drawhouse/contract/approvals/approvals';
import { session } from '@drawhouse/contract/auth/auth';
import type { Actor } from '../accounts/authority.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { Services } from '../platform/services.ts';
import { setRules, showRules } from './approval-rules.ts';
import {
  approvalColumns,
  countWaiting,
  APPROVALS,
  toApproval,
  visibleApprovals,
  type ApprovalRow,
} from './approvals.sql.ts';
import { guardCalls, type CountCredit } from './request-approval.ts';
import {
  approveRequest,
  declineRequest,
  withdrawRequest,
  type ApprovalParts,
  type FindRoute,
} from './decide-approval.ts';

export function withApprovals(
  services: Services,
  countCredit: CountCredit,
  routes: readonly BoundRoute<Actor>[],
): BoundRoute<Actor>[] {
  const all = routes.map((bound) => (bound.route.path === session.path ? withWaiting(services, bound) : bound));
  const findRoute: FindRoute = ({ method, path }) =>
    all.find(({ route }) => route.method === method && route.path === path);
  const parts = { services, routes: routes.map(({ route }) => route), findRoute, countCredit };
  all.push(...approvalsRoutes(parts));
  return all.map((bound) => guardCalls(services, bound, countCredit));
}

/** Every page asks for the session, so it carries the number of requests to decide. */
function withWaiting({ db, clock }: Services, bound: BoundRoute<Actor>): BoundRoute<Actor> {
  return {
    ...bound,
    async handler(input, call) {
      const answer = await bound.handler(input, call);
      const { role, permissions } = call.actor;
      if (role === 'user' || !permissions.includes('lists')) return answer;
      return { ...answer, waitingApprovals: await countWaiting(db, call.actor, clock.now()) };
    },
  };
}

function approvalsRoutes(parts: ApprovalParts): BoundRoute<Actor>[] {
  const { services, findRoute } = parts;
  return [
    ...serveList(services, approvals, ({ actor, at }: ListRequest<typeof approvals, Actor>) => ({
      from: APPROVALS,
      authority: visibleApprovals(actor),
      key: sql`p.id`,
      select: approvalColumns,
      toRow: (row: ApprovalRow) => toApproval(row, actor, findRoute(row)?.route, at),
      reading: 'rows' as const,
      order: { askedAt: sql`p.at` },
      filters: {
        state: (state: string) =>
          sql`case when p.state = 'waiting' and p.expires_at <= ${at} then 'expired' else p.state::text end = ${state}`,
        from: (from: string) => {
          const own = sql`(p.account_id = ${actor.id} and p.login = ${actor.login})`;
          return from === 'own' ? own : sql`not ${own}`;
        },
      },
      search: (pattern: string) =>
        sql`(p.subject ilike ${pattern} or a.username ilike ${pattern} or l.name ilike ${pattern})`,
    })),
    handle(approve, ({ params }, call) => approveRequest(parts, call, params.approvalId)),
    handle(decline, ({ params, body }, call) =>
      declineRequest(services, call, { id: params.approvalId, findRoute }, body.reason ?? ''),
    ),
    handle(withdraw, ({ params }, call) => withdrawRequest(services, call, { id: params.approvalId, findRoute })),
    handle(approvalRules, ({ params }, { actor }) => showRules(services.db, actor, params.adminId)),
    handle(setApprovalRules, ({ params, body }, call) => setRules(parts, call, params.adminId, body.rules)),
  ];
}
