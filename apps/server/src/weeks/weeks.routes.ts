import { hundredthsOf, pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import {
  recordPayment as recordRoute,
  reversePayment as reverseRoute,
  weekPayments,
  type PaymentMethod,
} from '@drawhouse/contract/weeks/week-payments';
import { addWeekNote, closeWeeks as closeRoute } from '@drawhouse/contract/weeks/close-weeks';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import type { Weekday } from '@drawhouse/rules/records/week-balance';
import type { Actor } from '../accounts/authority.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import { naturalOrder, sql } from '../platform/db/sql/sql.ts';
import { inSubtreeEver } from '../platform/db/visibility-predicate.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { Services } from '../platform/services.ts';
import { addNote } from './add-note.ts';
import { closeWeeks } from './close-weeks.ts';
import { recordPayment, reversePayment } from './record-payment.ts';
import { setTerms } from './set-terms.ts';
import { weekListRoutes } from './week-lists.routes.ts';
import { WEEK_TEXTS } from './weeks-texts.ts';

export function weeksRoutes(services: Services, firstWeekday: Weekday): BoundRoute<Actor>[] {
  return [
    ...weekListRoutes(services, firstWeekday),
    ...paymentList(services),
    handle(recordRoute, async ({ body: { sum, ...payment } }, call) => ({
      message: WEEK_TEXTS.recorded,
      ...(await recordPayment(services, call, { ...payment, amount: hundredthsOf(sum)! })),
    })),
    handle(reverseRoute, async ({ body: { paymentId, note } }, call) => ({
      message: WEEK_TEXTS.reversed,
      ...(await reversePayment(services, call, { paymentId, note })),
    })),
    handle(closeRoute, async ({ body }, call) => ({
      message: WEEK_TEXTS.closed,
      ...(await closeWeeks(services, call, firstWeekday, body)),
    })),
    handle(addWeekNote, async ({ body }, call) => ({
      message: WEEK_TEXTS.noted,
      ...(await addNote(services, call, firstWeekday, body)),
    })),
    handle(setWeekTerms, async ({ body }, call) => ({
      message: WEEK_TEXTS.termsSet,
      ...(await setTerms(services, call, firstWeekday, body)),
    })),
  ];
}

interface StoredPayment {
  readonly id: string;
  readonly at: Date;
  readonly amount: bigint;
  readonly incoming: boolean;
  readonly method: PaymentMethod;
  readonly reference: string;
  readonly note: string;
  readonly reverses: string | null;
  readonly is_reversed: boolean;
  readonly account_id: string;
  readonly username: string;
  readonly role: Role;
  readonly parent: string;
  readonly by: string;
}

function paymentList(services: Services): BoundRoute<Actor>[] {
  return serveList(services, weekPayments, ({ actor }: ListRequest<typeof weekPayments, Actor>) => ({
    from: sql`accounts a join week_payments p on p.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')}
      and p.account_id = a.id`,
    authority: inSubtreeEver('a', actor),
    key: sql`p.id`,
    select: sql`p.id, p.at, p.amount, p.incoming, p.method, p.reference, p.note, p.reverses, a.id as account_id, a.username, a.role,
      (select u.username from accounts u where u.id = p.parent_id) as parent,
      (select u.username from accounts u where u.id = p.actor_id) as by,
      exists (select from week_payments r where r.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'p.network_id')}
        and r.reverses = p.id) as is_reversed`,
    toRow: (row: StoredPayment) => ({
      _id: row.id,
      at: row.at.toISOString(),
      account: { id: row.account_id, username: row.username, role: row.role },
      parent: row.parent,
      direction: row.incoming ? ('in' as const) : ('out' as const),
      amount: pointsOf(row.amount),
      method: row.method,
      reference: row.reference,
      note: row.note,
      by: row.by,
      reverses: row.reverses,
      isReversed: row.is_reversed,
    }),
    reading: 'rows',
    order: { at: sql`p.at`, account: naturalOrder(sql`a.username`), amount: sql`p.amount` },
    filters: {
      at: sql`p.at`,
      direction: (value: string) => (value === 'in' ? sql`p.incoming` : sql`not p.incoming`),
      method: (value: string) => sql`p.method = ${value}`,
      accountId: sql`a.id`,
    },
  }));
}
