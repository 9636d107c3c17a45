import { MOVEMENT_KINDS as KIND_WORDS } from '@drawhouse/contract/credit/credit';
import { findAllUsers, transactionReport } from '@drawhouse/contract/reports/transactions';
import type { Transaction, TransactionKind } from '@drawhouse/contract/reports/transactions';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { sql } from '../../platform/db/sql/sql.ts';
import { clearedNote } from '../../activity/clearing-note.ts';
import { notInSubtree } from '../../accounts/authority.ts';
import type { Actor } from '../../accounts/authority.ts';
import { requireRoleOf } from '../../accounts/read/caller-identity-fields.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fromWireKind, toWireKind, nameFor, noteFor } from '../../credit/visible-transfer.ts';
import type { Party } from '../../credit/visible-transfer.ts';
import type { Services } from '../../platform/services.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { TRANSFER_KINDS, transferKindOf, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { ticketNumber } from '../../tickets/ticket-number.ts';
import { aboutPeriod, serverDay } from '../server-day.ts';
import { chainTo } from '../turnover/turnover.sql.ts';
import type { ChainLink } from '../turnover/turnover.sql.ts';
import type { Period } from '../../platform/time/period.ts';
import { inSubtree } from '../../platform/db/predicate.ts';
import {
  isOfSubtree,
  networksEverOf,
  touchesSubtree,
  transactionFor,
  transfersOfAccount,
  transfersOfFew,
  transfersOfNetworks,
} from './transactions.sql.ts';

interface StoredSide extends Party {
  wallet: number;
  deleted: boolean;
  depth: number | null;
  game: string | null;
}

export interface StoredTransaction {
  id: string;
  at: Date;
  kind: number;
  amount: bigint;
  note: string;
  reference: string | null;
  from: StoredSide;
  to: StoredSide;
  /** Null if the product made it at a draw. */
  actor: Party | null;
}

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
        where: sql`t.at >= ${period.from}::timestamptz and t.at < ${period.until}::timestamptz`,
        time: sql`t.at`,
        key: sql`t.id`,
        select: transactionFor(actor),
        // The SQL always limits the period.
        filters: { date: null, type: (type) => sql`t.kind = ${TRANSFER_KINDS[fromWireKind(type as TransactionKind)]}` },
        toRow: (row: StoredTransaction) => toTransaction(actor, account?.id, row),
        of: () => ({
          ...(account && { Account: `${account.username} (${account.role})` }),
          ...aboutPeriod(period, request.timeZone),
          ...(cleared !== null && { Cleared: cleared }),
        }),
        extra: () => ({ role: account?.role ?? actor.role, account, cleared }),
      };
    }),
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
        order: { username: sql`lower(a.username)`, role: sql`cardinality(a.chain)` },
        search: (pattern) => sql`lower(a.username) like ${pattern.toLowerCase()}`,
        extra: () => ({ role: about.role }),
      };
    }),
  ];
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

export function toTransaction(actor: Actor, aboutId: string | undefined, row: StoredTransaction): Transaction {
  // Escrow collections are not shown.
  const kind = toWireKind(transferKindOf(row.kind)) as TransactionKind;
  const amount = pointsOf(row.amount);
  const isCredit = isCreditOf(aboutId, row);
  const game = row.from.game ?? row.to.game;
  const isOfTicket = ['stake', 'win', 'refund', 'claim'].includes(kind) && row.reference !== null;
  const ticketId = isOfTicket ? ticketNumber(row.reference!) : null;
  const by = row.actor && nameFor(actor, row.actor);
  return {
    _id: row.id,
    kind,
    user: sideOf(actor, row.from),
    recipient: sideOf(actor, row.to),
    credit: isCredit ? amount : 0,
    debit: isCredit ? 0 : amount,
    message: messageOf(kind, { game, ticketId, by, note: noteFor(actor, row.actor, row.note) }),
    ticketId,
    status: 'completed',
    createdAt: row.at.toISOString(),
  };
}

/** Credit for the requested account, else for the lower party. Transfers within one account count as credit. */
function isCreditOf(aboutId: string | undefined, { from, to }: StoredTransaction): boolean {
  if (aboutId !== undefined) return to.id === aboutId;
  return (to.depth ?? 0) >= (from.depth ?? 0);
}

function messageOf(
  kind: TransactionKind,
  {
    game,
    ticketId,
    by,
    note,
  }: { game: string | null; ticketId: string | null; by: string | null; note: string | null },
): string {
  const what = KIND_WORDS[kind];
  const about = [game === null ? '' : ` on ${game}`, ticketId === null ? '' : `, ticket ${ticketId}`].join('');
  const hand = ['stake', 'claim'].includes(kind) || by === null ? '' : ` by ${by}`;
  return `${what}${about}${hand}${note === null ? '' : `: ${note}`}`;
}

function sideOf(actor: Actor, side: StoredSide): Transaction['user'] {
  if (side.game !== null) return { name: side.game, id: null, role: null };
  if (side.wallet === WALLET_KINDS.issuance || side.id === null) return { name: 'Issuance', id: null, role: null };
  return { name: nameFor(actor, side), id: side.visible && !side.deleted ? side.id : null, role: side.role };
}
