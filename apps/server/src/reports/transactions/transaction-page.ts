import { pointsOf } from '@drawhouse/contract/core/primitives';
import {
  transactionMessage,
  type TransactionDetails,
  type TransactionPage,
  type Transaction,
  type TransactionKind,
} from '@drawhouse/contract/reports/transactions';
import {
  IN_MASSES,
  ROOT_NETWORK,
  TRANSFER_KINDS,
  transferKindOf,
  walletKindOf,
  WALLET_KINDS,
} from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { readLogNaming } from '../../activity/log-source.ts';
import { CREDIT_KINDS } from '../../credit/reverse-transfer.ts';
import { nameFor, noteFor, toWireKind, type Party } from '../../credit/visible-transfer.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { crossNetworkComment, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { selectVisible, type Viewer } from '../../platform/db/visibility-predicate.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { uuidsIn, timeOfId } from '../../platform/db/sql/uuids.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { networksEverOf, touchesSubtree, transactionFor } from './transactions.sql.ts';
import { findCounterEntry, findMessage, LOGGED_WITHIN_MS, readMessage } from './message-page.ts';
import { REPORT_TEXTS } from '../reports-texts.ts';
import { ticketNumber } from '../../tickets/ticket-number.ts';

export interface DetailsRow extends TransactionRow {
  network_id: number;
  from_balance: bigint;
  to_balance: bigint;
}

export function transactionDetailsFor(actor: Actor): Sql {
  return sql`${transactionFor(actor)}, t.network_id, t.from_balance, t.to_balance`;
}

export function toTransactionDetails(actor: Actor, aboutId: string | undefined, row: DetailsRow): TransactionDetails {
  const kind = transferKindOf(row.kind);
  const { actor: by } = row;
  return {
    ...toTransaction(actor, aboutId, row),
    amount: pointsOf(row.amount),
    from: sideWith(actor, row.from, row.from_balance + row.amount, row.from_balance),
    to: sideWith(actor, row.to, row.to_balance - row.amount, row.to_balance),
    note: noteFor(actor, by, row.note),
    actor: by && { name: nameFor(actor, by), id: by.visible ? by.id : null, role: by.role },
    drawId: kind === 'commission' || kind === 'cover' ? row.reference : null,
  };
}

function sideWith(actor: Actor, side: StoredSide, before: bigint, after: bigint): TransactionDetails['from'] {
  const wallet = walletKindOf(side.wallet);
  const ownsNetwork = actor.role === 'superadmin' || actor.role === 'admin';
  const isSeen = side.game === null ? side.visible && wallet !== 'boundary' : ownsNetwork;
  return {
    ...sideOf(actor, side),
    wallet: side.distant === null ? wallet : 'credit',
    before: isSeen ? pointsOf(before) : null,
    after: isSeen ? pointsOf(after) : null,
  };
}

export async function readTransaction(
  on: Queryable,
  actor: Actor,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<Omit<TransactionPage, 'success'>> {
  const sent = actor.role === 'superadmin' ? await findMessage(on, id) : undefined;
  const row = await findTransaction(on, actor, { id: sent?.transferId ?? id, now });
  if (!row && sent) return readMessage(on, actor, sent);
  if (!row) throw new CallError('NOT_FOUND', { message: REPORT_TEXTS.noTransaction });
  const data = toTransactionDetails(actor, undefined, row);
  const isOfRoot = row.network_id === ROOT_NETWORK && row.reference !== null;
  const message = isOfRoot && actor.role === 'superadmin' ? await findMessage(on, row.reference!) : undefined;
  const links = message ? await findCounterEntry(on, row, message) : await findLinks(on, row);
  const until = Math.max(row.at.getTime(), message?.settledAt?.getTime() ?? 0);
  return {
    data: { ...data, ...(await rootBalance(on, actor, row, data)) },
    ...links,
    reversible: links.reverses || links.reversedBy ? null : await readReversible(on, row),
    log: await readLogNaming(on, actor, {
      ids: isOfRoot ? [row.id, row.reference!] : [row.id],
      from: new Date(row.at.getTime() - LOGGED_WITHIN_MS),
      until: new Date(until + LOGGED_WITHIN_MS),
    }),
  };
}

/** Ids of draws' payments are made from the time of the transfer. */
const ID_WITHIN_MS = 60_000;
const DAY_MS = 86_400_000;

const NOT_IN_MASSES = sql.raw(`t.kind not in ${IN_MASSES}`);

function ofNetworks(networks: readonly number[]): Sql {
  const one = singleNetwork(networks);
  return one === undefined
    ? sql`t.network_id = any(${networks}::int[]) ${sql.raw(crossNetworkComment('superadmin'))}`
    : sql`t.network_id = ${one}::int`;
}

/** Across a border, the half inside the network. */
export async function findTransaction(
  on: Queryable,
  actor: Actor,
  asked: { readonly id: string; readonly now: Date },
): Promise<DetailsRow | undefined> {
  const networks = await networksEverOf(on, actor.id);
  const found = await findTransfer(on, actor, networks, asked);
  return found && ((await insideHalf(on, actor, networks, found)) ?? found);
}

async function findTransfer(
  on: Queryable,
  actor: Actor,
  networks: readonly number[],
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<DetailsRow | undefined> {
  const at = timeOfId(id).getTime();
  const near = sql`t.at between ${new Date(at - ID_WITHIN_MS)} and ${new Date(at + ID_WITHIN_MS)} and t.kind <> ${TRANSFER_KINDS.collect}`;
  const isNear = at < now.getTime() + DAY_MS;
  for (const found of isNear ? [NOT_IN_MASSES, near] : [NOT_IN_MASSES]) {
    const [row] = await select(on, actor, sql`${ofNetworks(networks)} and t.id = ${id} and ${found}`);
    if (row) return row;
  }
  return undefined;
}

function select(on: Queryable, actor: Actor, where: Sql): Promise<DetailsRow[]> {
  return on.query<DetailsRow>(
    selectVisible({
      select: transactionDetailsFor(actor),
      from: sql`transfers t`,
      authority: touchesSubtree(actor),
      where,
    }),
  );
}

/** A superadmin's statement names the root's half of a transfer across a border. */
async function insideHalf(
  on: Queryable,
  actor: Actor,
  networks: readonly number[],
  { network_id, kind, reference }: DetailsRow,
): Promise<DetailsRow | undefined> {
  const isHalf = network_id === ROOT_NETWORK && isCredit(kind) && reference !== null;
  if (!isHalf) return undefined;
  const [row] = await select(
    on,
    actor,
    sql`${ofNetworks(networks)} and t.network_id <> 0 and t.reference = ${reference} and t.kind in ${CREDIT_KINDS}`,
  );
  return row;
}

const isCredit = (kind: number): boolean => kind === TRANSFER_KINDS.give || kind === TRANSFER_KINDS.takeBack;

async function findLinks(
  on: Queryable,
  { network_id, id, kind, reference }: DetailsRow,
): Promise<Pick<TransactionPage, 'reverses' | 'reversedBy'>> {
  if (!isCredit(kind)) return { reverses: null, reversedBy: null };
  const find = async (where: Sql): Promise<TransactionPage['reverses']> => {
    const [row] = await on.query<{ id: string; at: Date }>(
      sql`select t.id, t.at from transfers t where t.network_id = ${network_id} and t.kind in ${CREDIT_KINDS} and ${where}`,
    );
    return row ? { _id: row.id, createdAt: row.at.toISOString() } : null;
  };
  return {
    reverses: reference === null ? null : await find(sql`t.id = ${reference} and ${NOT_IN_MASSES}`),
    reversedBy: await find(sql`t.reference = ${id} and t.network_id <> 0`),
  };
}

/** Across a border, the balance of the superadmin is in the root's half. */
async function rootBalance(
  on: Queryable,
  actor: Actor,
  { network_id, at, reference, kind, amount, from }: DetailsRow,
  data: TransactionDetails,
): Promise<Partial<Pick<TransactionDetails, 'from' | 'to'>>> {
  const name = walletKindOf(from.wallet) === 'boundary' ? 'from' : 'to';
  const side = data[name];
  const isAcross = side.wallet === 'boundary' && side.id === actor.id && network_id !== ROOT_NETWORK;
  if (!isAcross || !isCredit(kind)) return {};
  const [half] = await on.query<{ balance: bigint }>(
    sql`select ${sql.raw(name)}_balance as balance from transfers
      where network_id = ${ROOT_NETWORK} and at = ${at} and reference = ${reference} and kind in ${CREDIT_KINDS}
        -- Another cell has the superadmin's half.
        and reference not in (select id from received_credit)`,
  );
  if (!half) return {};
  const before = name === 'from' ? half.balance + amount : half.balance - amount;
  return { [name]: { ...side, wallet: 'credit', before: pointsOf(before), after: pointsOf(half.balance) } };
}

async function readReversible(
  on: Queryable,
  { network_id, kind, from, to, actor: by }: DetailsRow,
): Promise<TransactionPage['reversible']> {
  const sides = [from, to];
  const mayReverse = isCredit(kind) && by?.visible === true && sides.every((side) => side.visible && !side.deleted);
  if (!mayReverse) return null;
  const stand = async (side: StoredSide) => ({
    name: side.username,
    balance: pointsOf(
      await balanceOf(on, side.role === 'superadmin' ? ROOT_NETWORK : network_id, `credit:${side.id!}`),
    ),
  });
  return { payer: await stand(to), receiver: await stand(from) };
}

export async function foreignTransfers(on: Queryable, actor: Viewer, names: readonly string[]): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    sql`select t.id from networks n join transfers t on t.network_id = n.id and t.id = any(${uuidsIn(names)}::uuid[])
        and ${NOT_IN_MASSES}
      where not ${touchesSubtree(actor)} ${sql.raw(crossNetworkComment('named'))}`,
  );
  return rows.map((row) => row.id);
}

interface StoredSide extends Party {
  wallet: number;
  deleted: boolean;
  depth: number | null;
  /** Admin in another cell. */
  distant: string | null;
  game: string | null;
}

export interface TransactionRow {
  id: string;
  at: Date;
  kind: number;
  amount: bigint;
  note: string;
  reference: string | null;
  status: Transaction['status'];
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
  const isReceived = isCreditOf(aboutId, row);
  const game = row.from.game ?? row.to.game;
  const isOfTicket = ['stake', 'win', 'refund', 'claim', 'correct'].includes(kind) && row.reference !== null;
  const ticketId = isOfTicket ? ticketNumber(row.reference!) : null;
  const by = row.actor && nameFor(actor, row.actor);
  return {
    _id: row.id,
    kind,
    user: sideOf(actor, row.from),
    recipient: sideOf(actor, row.to),
    credit: isReceived ? amount : 0,
    debit: isReceived ? 0 : amount,
    message: transactionMessage({
      kind,
      inTransit: row.status === 'transit',
      game,
      ticketId,
      by,
      note: noteFor(actor, row.actor, row.note),
    }),
    ticketId,
    status: row.status,
    createdAt: row.at.toISOString(),
  };
}

/** Judges for the requested account, else for the lower party. Transfers within one account count as credit. */
function isCreditOf(aboutId: string | undefined, { from, to }: TransactionRow): boolean {
  if (aboutId !== undefined) return to.id === aboutId;
  if (from.distant !== null || to.distant !== null) return to.distant !== null;
  return (to.depth ?? 0) >= (from.depth ?? 0);
}

function sideOf(actor: Actor, side: StoredSide): Transaction['user'] {
  if (side.game !== null) return { name: side.game, id: null, role: null };
  if (side.wallet === WALLET_KINDS.issuance || side.id === null)
    return { name: side.distant ?? 'Issuance', id: null, role: null };
  return { name: nameFor(actor, side), id: side.visible && !side.deleted ? side.id : null, role: side.role };
}
