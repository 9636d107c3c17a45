import type { Movement, Statement, TransferKind } from '@drawhouse/contract/credit';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { STATEMENT_COLUMNS, STATEMENT_ENDS } from '@drawhouse/contract/statement-export';
import { writeCsvStream, writeXlsxStream } from 'hucre';
import { inSubtree } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { idAfter } from '../db/uuid7.ts';
import { CallError } from '../http/errors.ts';
import { exportTime } from '../http/export-time.ts';
import type { FileAnswer } from '../http/handler.ts';
import { balanceBefore, historyBetween, readMovements, sumMovements } from '../ledger/statement.ts';
import type { IdRange, Movement as LedgerMovement, WalletOf } from '../ledger/statement.ts';
import { walletId } from '../ledger/wallets.ts';
import type { WalletKind } from '../ledger/wallets.ts';

/** Whose statement, of which wallet, and from when to when. */
export interface StatementQuery {
  /** The actor itself where it is left out. */
  readonly id?: string;
  readonly wallet: 'credit' | 'commission';
  readonly startDate: string;
  readonly endDate: string;
}

/** One page of a statement: next to a movement, or the newest. */
export interface StatementPage {
  readonly before?: string;
  readonly after?: string;
  readonly pageSize?: number;
}

const PAGE_ROWS = 50;
/** An export reads pieces of this size, so that the whole statement is never in memory. */
const PIECE_ROWS = 1_000;

interface Owner {
  id: string;
  network_id: string;
  username: string;
  role: Role;
}

/** One page of the statement of an account in the actor's subtree, newest first. Throws NOT_FOUND for any other. */
export async function readStatement(
  { db }: Services,
  actor: Actor,
  query: StatementQuery,
  { before, after, pageSize = PAGE_ROWS }: StatementPage,
): Promise<Omit<Statement, 'success'>> {
  return db.snapshot(async (on) => {
    const { account, wallet, range, opening, closing, sums } = await openStatement(on, actor, query);
    const ends = { ...range };
    if (before !== undefined && before < range.past) ends.past = before;
    if (after !== undefined && after >= range.from) ends.from = idAfter(after);
    // One row more than the page says whether there is another page.
    const found = await readMovements(on, wallet, ends, after ? 'asc' : 'desc', pageSize + 1);
    const page = after ? found.slice(0, pageSize).toReversed() : found.slice(0, pageSize);
    const isMore = found.length > pageSize;
    return {
      account: { _id: account.id, username: account.username, role: account.role },
      opening: pointsOf(opening),
      closing: pointsOf(closing),
      credit: pointsOf(sums.into),
      debit: pointsOf(sums.outOf),
      total: sums.count,
      data: await describe(on, actor, account, wallet, page),
      older: (after ? page.length > 0 : isMore) ? page.at(-1)!.id : null,
      newer: (after ? isMore : before !== undefined && page.length > 0) ? page[0]!.id : null,
    };
  });
}

/** The whole statement as a file, oldest first, between rows with the opening and the closing balance; streamed. */
export async function exportStatement(
  { db: { patient }, timeZone: ownZone }: Services,
  actor: Actor,
  query: StatementQuery & { readonly timeZone?: string },
  format: 'xlsx' | 'csv',
): Promise<FileAnswer> {
  const { account, wallet, range, opening, closing, sums } = await patient.snapshot((on) =>
    openStatement(on, actor, query),
  );
  const timeZone = query.timeZone ?? ownZone;
  const formatTime = exportTime(timeZone);
  const end = (name: string, iso: string, balance: bigint): (string | number)[] => [
    formatTime(iso),
    name,
    ...STATEMENT_COLUMNS.slice(3).map(() => ''),
    pointsOf(balance),
  ];
  async function* rows(): AsyncGenerator<(string | number)[]> {
    yield end(STATEMENT_ENDS.opening, query.startDate, opening);
    // What is posted while the file is read has higher ids: the first `sums.count` are those that the balances are about.
    let { from } = range;
    for (let left = sums.count; left > 0; left -= PIECE_ROWS) {
      const piece = await readMovements(patient, wallet, { ...range, from }, 'asc', Math.min(PIECE_ROWS, left));
      for (const movement of await describe(patient, actor, account, wallet, piece))
        yield STATEMENT_COLUMNS.map((column) => column.value(movement, formatTime));
      from = idAfter(piece.at(-1)!.id);
    }
    yield end(STATEMENT_ENDS.closing, query.endDate, closing);
  }
  // Whoever opens the file may be elsewhere: the zone of its times is named.
  const headers = STATEMENT_COLUMNS.map(({ header }, index) => (index === 0 ? `${header} (${timeZone})` : header));
  return {
    fileName: `Statement-${account.username}${query.wallet === 'credit' ? '' : `-${query.wallet}`}.${format}`,
    rows: sums.count + 2,
    stream:
      format === 'xlsx'
        ? writeXlsxStream(rows(), {
            name: 'Statement',
            columns: STATEMENT_COLUMNS.map(({ width }, index) => ({ header: headers[index]!, width })),
          })
        : writeCsvStream(rows(), { headers, bom: true, escapeFormulae: true }),
  };
}

/** What a page and a file of a statement have in common. Amounts in hundredths; to be read on one snapshot. */
interface OpenedStatement {
  readonly account: Owner;
  readonly wallet: WalletOf;
  readonly range: IdRange;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly sums: { into: bigint; outOf: bigint; count: number };
}

async function openStatement(on: Queryable, actor: Actor, query: StatementQuery): Promise<OpenedStatement> {
  const [account] = await on.query<Owner>(
    `select a.id, a.network_id, a.username, a.role from accounts a where a.id = $2 and ${inSubtree('a', '$1')}`,
    [actor.id, query.id ?? actor.id],
  );
  if (!account) throw new CallError('NOT_FOUND');
  if (new Date(query.startDate) > new Date(query.endDate))
    throw new CallError('INVALID_INPUT', { fields: { endDate: 'The end lies before the start' } });
  const wallet = { networkId: account.network_id, walletId: walletId({ ownerId: account.id, kind: query.wallet }) };
  const range = await historyBetween(on, wallet, new Date(query.startDate), new Date(query.endDate));
  return {
    account,
    wallet,
    range,
    opening: await balanceBefore(on, wallet, range.from),
    closing: await balanceBefore(on, wallet, range.past),
    sums: await sumMovements(on, wallet, range),
  };
}

/** How an account is called whose name is not the reader's business: neither below it nor directly above. */
function roleName(role: Role): string {
  return `${role[0]!.toUpperCase()}${role.slice(1)}`;
}

interface Named {
  id: string;
  username: string;
  role: Role;
  /** Whether it is below the reader, or the reader itself. */
  visible: boolean;
}

/** The movements as people read them: with the names of accounts and games. */
async function describe(
  on: Queryable,
  actor: Actor,
  account: Owner,
  wallet: WalletOf,
  movements: readonly LedgerMovement[],
): Promise<Movement[]> {
  const across = await accountsAcross(on, wallet, movements);
  const others = movements.map((movement) => otherAccount(movement, wallet, across));
  const named = await on.query<Named>(
    `select a.id, a.username, a.role, ${inSubtree('a', '$1')} as visible from accounts a where a.id = any($2::uuid[])`,
    [actor.id, [...others, ...movements.map((movement) => movement.actorId)].filter((id) => id !== null)],
  );
  const accounts = new Map(named.map((row) => [row.id, row]));
  const nameOf = ({ id, username, role, visible }: Named): string =>
    visible || id === actor.chain.at(-2) ? username : roleName(role);
  const games = await on.query<{ id: string; name: string }>('select id, name from games where id = any($1::uuid[])', [
    movements.flatMap((movement) => movement.otherGame ?? []),
  ]);
  const gameNames = new Map(games.map((game) => [game.id, game.name]));

  return movements.map((movement, index) => {
    const { id, kind, amount, otherKind, otherGame, actorId, note } = movement;
    const other = accounts.get(others[index] ?? '');
    const by = accounts.get(actorId ?? '');
    const isOther = other !== undefined && other.id !== account.id;
    return {
      _id: id,
      at: movement.at.toISOString(),
      kind: kind satisfies TransferKind,
      counterpart: otherGame ? (gameNames.get(otherGame) ?? '') : isOther ? nameOf(other) : OWN_WALLETS[otherKind],
      counterpartId: isOther && other.visible ? other.id : null,
      counterpartRole: isOther ? other.role : null,
      actor: by ? nameOf(by) : null,
      // What somebody outside the chain wrote, before the account was moved here, was not for this reader.
      note: !by || by.visible || actor.chain.includes(by.id) ? note : null,
      credit: amount > 0n ? pointsOf(amount) : 0,
      debit: amount < 0n ? pointsOf(-amount) : 0,
      balance: pointsOf(movement.balance),
    };
  });
}

/** What the other side is called where it is no other account and no game. */
const OWN_WALLETS: Record<WalletKind, string> = {
  credit: 'Credit',
  commission: 'Commission',
  winnings: 'Winnings',
  issuance: 'Issuance',
  boundary: 'Network border',
  table: 'Game table',
  escrow: 'Undrawn bets',
};

/** The account on the other side; null where there is none. Across a network's border it is not the wallet's owner. */
function otherAccount(movement: LedgerMovement, wallet: WalletOf, across: ReadonlyMap<string, string>): string | null {
  const { id, kind, otherKind, otherOwner, actorId, reference } = movement;
  if (otherKind !== 'boundary') return otherKind === 'issuance' || movement.otherGame ? null : otherOwner;
  if (wallet.networkId !== ROOT_NETWORK) return actorId;
  return kind === 'return' ? reference : (across.get(id) ?? null);
}

/**
 * Whose wallet a superadmin's transfer across a border reached, by the id of its own half: the halves share a reference, and
 * that of the network was made right after that of the root.
 */
async function accountsAcross(
  on: Queryable,
  wallet: WalletOf,
  movements: readonly LedgerMovement[],
): Promise<Map<string, string>> {
  const halves = movements.filter(({ otherKind, kind }) => otherKind === 'boundary' && kind !== 'return');
  if (wallet.networkId !== ROOT_NETWORK || halves.length === 0) return new Map();
  const reached = (from: 'debit' | 'credit', to: 'credit' | 'debit', kind: TransferKind): string =>
    `(select t.${to}_wallet as wallet from transfers t
      where half.kind = '${kind}' and t.network_id = half.network_id and t.${from}_wallet = half.border and t.id > half.id
        and t.reference = half.reference order by t.id limit 1)`;
  const rows = await on.query<{ id: string; owner_id: string }>(
    `select half.id, w.owner_id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) as half (id, network_id, border, reference, kind),
          lateral (${reached('debit', 'credit', 'credit')} union all ${reached('credit', 'debit', 'debit')}) as other
     join wallets w on w.id = other.wallet
     where w.network_id = half.network_id`,
    [
      halves.map((half) => half.id),
      halves.map((half) => half.otherOwner),
      halves.map((half) => walletId({ ownerId: half.otherOwner, kind: 'boundary' })),
      halves.map((half) => half.reference),
      halves.map((half) => half.kind),
    ],
  );
  return new Map(rows.map((row) => [row.id, row.owner_id]));
}
