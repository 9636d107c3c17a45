import { MOVEMENT_KINDS as KIND_WORDS } from '@drawhouse/contract/credit/credit';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Transaction, TransactionKind } from '@drawhouse/contract/reports/transactions';
import { transferKindOf, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { nameFor, noteFor, toWireKind, type Party } from '../../credit/visible-transfer.ts';
import { ticketNumber } from '../../tickets/ticket-number.ts';

export interface StoredSide extends Party {
  wallet: number;
  deleted: boolean;
  depth: number | null;
  game: string | null;
}

export interface TransactionRow {
  id: string;
  at: Date;
  kind: number;
  amount: bigint;
  note: string;
  reference: string | null;
  from: StoredSide;
  to: StoredSide;
  /** Null if a draw made the transfer. */
  actor: Party | null;
}

/** `aboutId`: account whose side decides between credit and debit. */
export function toTransaction(actor: Actor, aboutId: string | undefined, row: TransactionRow): Transaction {
  // Escrow collections are not shown.
  const kind = toWireKind(transferKindOf(row.kind)) as TransactionKind;
  const amount = pointsOf(row.amount);
  const isCredit = isCreditOf(aboutId, row);
  const game = row.from.game ?? row.to.game;
  const isOfTicket = ['stake', 'win', 'refund', 'claim', 'correct'].includes(kind) && row.reference !== null;
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

/** Judges for the requested account, else for the lower party. Transfers within one account count as credit. */
function isCreditOf(aboutId: string | undefined, { from, to }: TransactionRow): boolean {
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

export function sideOf(actor: Actor, side: StoredSide): Transaction['user'] {
  if (side.game !== null) return { name: side.game, id: null, role: null };
  if (side.wallet === WALLET_KINDS.issuance || side.id === null) return { name: 'Issuance', id: null, role: null };
  return { name: nameFor(actor, side), id: side.visible && !side.deleted ? side.id : null, role: side.role };
}
