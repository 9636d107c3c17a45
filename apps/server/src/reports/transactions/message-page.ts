import { pointsOf } from '@drawhouse/contract/core/primitives';
import { transactionMessage, type TransactionPage } from '@drawhouse/contract/reports/transactions';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { readLogNaming } from '../../activity/log-source.ts';
import { findSent, type SentCredit } from '../../credit/across/messages.ts';
import { CREDIT_KINDS } from '../../credit/reverse-transfer.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Transfer and log row may come from different clock readings. */
export const LOGGED_WITHIN_MS = 3_600_000;

export async function findMessage(on: Queryable, id: string): Promise<SentCredit | undefined> {
  const [sent] = await findSent(on, sql`id = ${id}`);
  return sent;
}

/** Credit asked back from another cell, without a transfer here until it arrives. */
export async function readMessage(
  on: Queryable,
  actor: Actor,
  { id, at, username, cell, amount, note, settledAt }: SentCredit,
): Promise<Omit<TransactionPage, 'success'>> {
  const log = await readLogNaming(on, actor, {
    ids: [id],
    from: new Date(at.getTime() - LOGGED_WITHIN_MS),
    until: new Date((settledAt ?? at).getTime() + LOGGED_WITHIN_MS),
  });
  const [ordered] = log;
  const by = ordered ? { name: ordered.username, id: actor.id, role: actor.role } : null;
  const moves = { wallet: 'credit', before: null, after: null } as const;
  const inTransit = settledAt === null;
  const parts = { kind: 'debit', game: null, ticketId: null, by: by?.name ?? null, note: note || null } as const;
  return {
    data: {
      _id: id,
      kind: 'debit',
      user: { name: `${username} (${cell})`, id: null, role: null },
      recipient: { name: actor.username, id: actor.id, role: actor.role },
      credit: 0,
      debit: pointsOf(amount),
      message: transactionMessage({ ...parts, inTransit }),
      ticketId: null,
      status: inTransit ? 'transit' : 'refused',
      createdAt: at.toISOString(),
      amount: pointsOf(amount),
      from: { name: `${username} (${cell})`, id: null, role: null, ...moves },
      to: { name: actor.username, id: actor.id, role: actor.role, ...moves },
      note: note || null,
      actor: by,
      drawId: null,
    },
    reverses: null,
    reversedBy: null,
    reversible: null,
    log,
  };
}

/** Credit of a message that was refused or ended returns by another transfer. */
export async function findCounterEntry(
  on: Queryable,
  { id, kind }: { readonly id: string; readonly kind: number },
  { id: reference, transferId, refusal }: SentCredit,
): Promise<Pick<TransactionPage, 'reverses' | 'reversedBy'>> {
  const isFirst = id === transferId;
  if (isFirst && refusal === null) return { reverses: null, reversedBy: null };
  const [row] = await on.query<{ id: string; at: Date }>(
    sql`select t.id, t.at from transfers t where t.network_id = ${ROOT_NETWORK} and t.reference = ${reference}
      and t.kind in ${CREDIT_KINDS} and t.kind <> ${kind} and (${isFirst}::boolean or t.id = ${transferId})
      order by t.at desc, t.id desc limit 1`,
  );
  const other = row ? { _id: row.id, createdAt: row.at.toISOString() } : null;
  return isFirst ? { reverses: null, reversedBy: other } : { reverses: other, reversedBy: null };
}
