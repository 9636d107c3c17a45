import { findAllUsers } from '@drawhouse/contract/reports/report-users';
import {
  CREDIT_KINDS,
  transactionOf,
  transactionReport,
  type TransactionKind,
} from '@drawhouse/contract/reports/transactions';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import { clearedNote } from '../../activity/log-source.ts';
import { notInSubtree, chainTo, type Actor, type ChainLink } from '../../accounts/authority.ts';
import { requireRoleOf } from '../../accounts/read/caller-identity-fields.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fromWireKind } from '../../credit/visible-transfer.ts';
import type { Services } from '../../platform/services.ts';
import { handle, type BoundRoute, type Call } from '../../platform/http/handler.ts';
import { readReport } from '../../platform/lists/read-report.ts';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { aboutPeriod, serverDay } from '../server-day.ts';
import type { Period } from '../../platform/time/clock.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import {
  isOfSubtree,
  networksEverOf,
  touchesSubtree,
  transactionFor,
  transactionStatus,
  transfersOfAccount,
  transfersOfFew,
  transfersOfNetworks,
} from './transactions.sql.ts';
import { readTransaction, toTransaction, type TransactionRow } from './transaction-page.ts';

type Request = ListRequest<typeof transactionReport, Actor>;

const OF_TRANSFERS = ['usertransaction', 'refertransaction', 'commission'] as const;

export function transactionRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    ...serveList(services, transactionReport, async (request: Request) => {
      const { actor, query, on } = request;
      const account = query.id === undefined ? null : await accountOf(on, actor, query);
      if (account === null) requireRoleOf(actor, actor.role, query.role);
      const period = periodOf(request);
      const isPartial = actor.chain.length > 2;
      const own = account
        ? await transfersOfAccount(on, actor, account.id, period)
        : isPartial && (await transfersOfFew(on, actor, period));
      const networks = await networksEverOf(on, actor.id);
      const cleared = await clearedNote(on, {
        networkIds: networks,
        models: OF_TRANSFERS,
        ...period,
        timeZone: request.timeZone,
      });
      const isPart = isPartial ? isOfSubtree(actor.id, actor.networkId) : sql`true`;
      return {
        from: own ? sql`${own} t` : (cut) => sql`${transfersOfNetworks(networks, isPart, period, cut)} t`,
        authority: touchesSubtree(actor),
        where: sql`t.at >= ${period.from}::timestamptz and t.at < ${period.until}::timestamptz
          ${query.status === undefined ? sql`` : sql`and ${transactionStatus} = ${query.status}`}`,
        time: sql`t.at`,
        key: sql`t.id`,
        select: transactionFor(actor),
        // The SQL always limits the period.
        filters: { date: null, type: (type) => sql`t.kind = any(${kindsOf(type)}::int[])` },
        toRow: (row: TransactionRow) => toTransaction(actor, account?.id, row),
        of: () => ({
          ...(account && { Account: `${account.username} (${account.role})` }),
          ...aboutPeriod(period, request.timeZone),
          ...(cleared !== null && { Cleared: cleared }),
        }),
        extra: () => ({ role: account?.role ?? actor.role, account, cleared }),
      };
    }),
    handle(transactionOf, ({ params }, call: Call<Actor>) =>
      readReport(services, call, (on) => readTransaction(on, call.actor, { id: params.id, now: services.clock.now() })),
    ),
    ...serveList(services, findAllUsers, async ({ actor, query, on }: ListRequest<typeof findAllUsers, Actor>) => {
      const about = await accountOf(on, actor, query);
      return {
        from: sql`accounts a`,
        authority: inSubtree('a', actor),
        where: sql`a.chain @> array[${about.id}]::uuid[]`,
        key: sql`a.id`,
        select: sql`a.id, a.username, a.role`,
        toRow: (row: Pick<ChainLink, 'id' | 'username' | 'role'>) => ({
          _id: row.id,
          username: row.username,
          role: row.role,
        }),
        reading: 'rows',
        order: { username: naturalOrder(sql`a.username`), role: sql`cardinality(a.chain)` },
        search: (pattern) => sql`lower(a.username) like ${pattern.toLowerCase()}`,
        extra: () => ({ role: about.role }),
      };
    }),
  ];
}

/** @param type a choice of the report's filter */
function kindsOf(type: string): readonly number[] {
  const kinds = type === 'between' ? CREDIT_KINDS : [type as TransactionKind];
  return kinds.map((kind) => TRANSFER_KINDS[fromWireKind(kind)]);
}

async function accountOf(
  on: Queryable,
  actor: Actor,
  { id = actor.id, role }: { id?: string | undefined; role?: string | undefined },
): Promise<ChainLink> {
  const account = (await chainTo(on, actor.id, id))?.at(-1);
  if (!account) throw notInSubtree('id');
  requireRoleOf(actor, account.role, role);
  return account;
}

function periodOf(request: Request): Period & { readonly day?: string } {
  const { startDate, endDate, date } = request.query;
  if (startDate === undefined && endDate === undefined) return serverDay(request, date);
  return {
    from: startDate === undefined ? new Date(Date.parse(endDate!) - DAY_MS + 1) : new Date(startDate),
    until: endDate === undefined ? new Date(Date.parse(startDate!) + DAY_MS) : new Date(Date.parse(endDate) + 1),
  };
}
const DAY_MS = 86_400_000;
