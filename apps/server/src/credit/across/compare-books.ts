import { pointsText } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK, TRANSFER_KINDS, WALLET_KINDS, type TransferKind } from '@drawhouse/rules/records/ledger-kinds';
import type { AskCell } from '../../cells/call-cell.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { inKinds, sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Directory, Services } from '../../platform/services.ts';
import { CALLS } from './wire.ts';

/** Amounts are hundredths in decimal, because JSON has no bigint. */
interface Entry {
  readonly id: string;
  readonly kind: number;
  readonly amount: string;
  readonly username: string;
  readonly number: number;
  /** Null: no answer yet. */
  readonly isApplied: boolean | null;
}

export interface CellBooks {
  readonly cell: string;
  /** The superadmin issued this, less what it retired. */
  readonly issued: string;
  /** Networks from other installations or cells brought this, less what left with them. */
  readonly brought: string;
  readonly held: string;
  readonly sent: readonly Entry[];
  /** Messages to networks of this cell. */
  readonly received: readonly Entry[];
}

/** A network's arrival from another cell. */
export interface Arrival {
  /** Of the move. */
  readonly id: string;
  readonly username: string;
  /** The earlier cell. */
  readonly from: string;
  /** Newest of the earlier cell's seals. Null without seals. */
  readonly checkpoint: string | null;
}

const NET = sql`sum(case when t.from_wallet = w.id then t.amount else -t.amount end)`;
const KINDS = (...kinds: TransferKind[]): Sql => inKinds(TRANSFER_KINDS, ...kinds);

export async function readBooks(on: Queryable, cell: string): Promise<CellBooks> {
  const [totals] = await on.query<Pick<CellBooks, 'issued' | 'brought' | 'held'>>(
    sql`select coalesce(${NET} filter (where t.kind in ${KINDS('issue', 'retire')}), 0)::text as issued,
        coalesce(${NET} filter (where t.kind in ${KINDS('restore')}), 0)::text as brought, (-w.balance)::text as held
      from wallets w left join transfers t on t.network_id = ${ROOT_NETWORK} and w.id in (t.from_wallet, t.to_wallet)
      where w.network_id = ${ROOT_NETWORK} and w.kind = ${WALLET_KINDS.issuance} group by w.balance`,
  );
  const sent = await on.query<Entry & Record<string, unknown>>(
    sql`select id, kind, amount::text, username, number,
        case when settled_at is not null then refusal is null end as "isApplied" from sent_credit`,
  );
  const received = await on.query<Entry & Record<string, unknown>>(
    sql`select r.id, r.kind, r.amount::text, a.username, r.number, r.refusal is null as "isApplied"
      from received_credit r join networks n on n.admin_id = r.admin_id and not n.arrives join accounts a on a.id = r.admin_id`,
  );
  return { cell, ...totals!, sent, received };
}

/** Reads the sealed log. Imports and returned networks have no earlier cell. */
function readArrivals(on: Queryable): Promise<(Arrival & Record<string, unknown>)[]> {
  return on.query(
    sql`select detail -> 'moved' ->> 'id' as id, detail -> 'moved' ->> 'username' as username,
        detail -> 'moved' ->> 'from' as "from", detail ->> 'checkpoint' as checkpoint
      from activity where network_id = ${ROOT_NETWORK} and detail -> 'moved' ? 'from' order by seq`,
  );
}

export interface GroupFindings {
  readonly issued: bigint;
  readonly brought: bigint;
  readonly held: bigint;
  readonly inTransit: bigint;
  readonly problems: readonly string[];
}

const arrivedBy = ({ kind, amount, isApplied }: Entry): bigint =>
  isApplied ? BigInt(amount) * (kind === TRANSFER_KINDS.give ? 1n : -1n) : 0n;

/** Credit of a group is in its cells or in transit between them. */
export function compareBooks(cells: readonly CellBooks[]): GroupFindings {
  const sum = (of: (books: CellBooks) => string): bigint => cells.reduce((all, books) => all + BigInt(of(books)), 0n);
  const received = new Map(cells.flatMap((books) => books.received.map((entry) => [entry.id, { entry, books }])));
  const problems: string[] = [];
  let inTransit = 0n;
  for (const { cell, sent } of cells)
    for (const { id, kind, amount, username, number, isApplied } of sent) {
      const there = received.get(id);
      received.delete(id);
      const isOut = kind === TRANSFER_KINDS.give && isApplied !== false;
      const isBack = kind === TRANSFER_KINDS.takeBack && isApplied === true;
      const left = (isOut ? BigInt(amount) : 0n) - (isBack ? BigInt(amount) : 0n);
      const arrived = there ? arrivedBy(there.entry) : 0n;
      inTransit += left - arrived;
      if (isApplied !== null && left !== arrived)
        problems.push(
          `message ${number} of ${cell} to ${username} moved ${pointsText(left)} points there and ` +
            `${pointsText(arrived)} in ${there?.books.cell ?? 'the cell of the network'}`,
        );
    }
  for (const { entry, books } of received.values()) {
    inTransit -= arrivedBy(entry);
    problems.push(
      `${books.cell} received message ${entry.number} to ${entry.username} about ${pointsText(BigInt(entry.amount))} points, ` +
        'which no cell has sent',
    );
  }
  const [issued, brought, held] = [sum((b) => b.issued), sum((b) => b.brought), sum((b) => b.held)];
  // Each cell is read at one instant, so messages that only one side shows yet do not change this.
  const excess = held + inTransit - issued - brought;
  if (excess !== 0n)
    problems.push(
      `the cells and the way between them have ${pointsText(excess < 0n ? -excess : excess)} points ` +
        `${excess < 0n ? 'less' : 'more'} than were issued or brought`,
    );
  return { issued, brought, held, inTransit, problems };
}

/** Undefined for other calls. */
export function answerBooks({ db, directory }: GroupParts, path: string): Promise<object> | undefined {
  if (path === CALLS.books) return db.snapshot((on) => readBooks(on, directory.cell));
  return path === CALLS.arrivals ? readArrivals(db.patient) : undefined;
}

export type GroupParts = Pick<Services, 'db'> & { readonly directory: Directory };

/** Throws if a cell does not answer. */
async function readGroup<T extends object>(parts: GroupParts, askCell: AskCell, path: string): Promise<readonly T[]> {
  const read = { path, params: {}, query: {}, caller: '', permissions: [] };
  const peers = await parts.directory.peers();
  const all = [answerBooks(parts, path)!, ...peers.map((peer) => askCell(peer, read))];
  return (await Promise.all(all)) as readonly object[] as readonly T[];
}

export function readGroupBooks(parts: GroupParts, askCell: AskCell): Promise<readonly CellBooks[]> {
  return readGroup(parts, askCell, CALLS.books);
}

export async function readGroupArrivals(parts: GroupParts, askCell: AskCell): Promise<readonly Arrival[]> {
  return (await readGroup<readonly Arrival[]>(parts, askCell, CALLS.arrivals)).flat();
}

const READINGS = 3;

/**
 * Cells are not read at one instant, so problems count only if two consecutive readings have them. Reads a third time if
 * the first two differ.
 */
export async function compareRepeatedly(read: () => Promise<readonly CellBooks[]>): Promise<GroupFindings> {
  let last = compareBooks(await read());
  for (let reading = 2; last.problems.length > 0; reading++) {
    const next = compareBooks(await read());
    const problems = next.problems.filter((problem) => last.problems.includes(problem));
    const isSame = problems.length === next.problems.length && problems.length === last.problems.length;
    if (isSame || reading === READINGS) return { ...next, problems };
    last = next;
  }
  return last;
}
