import type { Movement, Statement } from '@drawhouse/contract/credit';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { STATEMENT_COLUMNS, STATEMENT_ENDS } from '@drawhouse/contract/statement-export';
import { writeCsvStream, writeXlsxStream } from 'hucre';
import { inSubtree } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { exportTime } from '../http/export-time.ts';
import type { FileAnswer } from '../http/handler.ts';
import { WALLET_KINDS } from '../ledger/kinds.ts';
import type { TransferKind, WalletKind } from '../ledger/kinds.ts';
import { balanceBefore, findWallet, historyBetween, readMovements, sumMovements } from '../ledger/statement.ts';
import type { Movement as LedgerMovement, VersionRange, WalletOf } from '../ledger/statement.ts';

/** Whose statement, of which wallet, and from when to when. */
export interface StatementQuery {
  /** The actor itself where it is left out. */
  readonly id?: string;
  readonly wallet: 'credit' | 'commission';
  readonly startDate: string;
  readonly endDate: string;
}

/** One page of a statement: next to a movement, by its version, or the newest. */
export interface StatementPage {
  readonly before?: string;
  readonly after?: string;
  readonly pageSize?: number;
}

const PAGE_ROWS = 50;
/** An export reads pieces of this size, so that the whole statement is never in memory. */
const PIECE_ROWS = 1_000n;

interface Owner {
  id: string;
  network_id: number;
  username: string;
  role: Role;
}

/** One page of the statement of an account in the actor's subtree, newest first. Throws NOT_FOUND for any other. */
export async function readStatement(
  { db }: Services,
  actor: Actor,
  query: StatementQuery,
  page: StatementPage,
): Promise<Omit<Statement, 'success'>> {
  return db.snapshot(async (on) => {
    const { account, wallet, range, opening, closing, sums } = await openStatement(on, actor, query);
    const { from, past } = pageOf(range, page);
    const movements = (await readMovements(on, wallet, { from, past })).toReversed();
    return {
      account: { _id: account.id, username: account.username, role: account.role },
      opening: pointsOf(opening),
      closing: pointsOf(closing),
      credit: pointsOf(sums.into),
      debit: pointsOf(sums.outOf),
      total: Number(range.past - range.from),
      data: await describe(on, actor, account, movements),
      older: past > from && from > range.from ? String(from) : null,
      newer: past > from && past < range.past ? String(past - 1n) : null,
    };
  });
}

/** The part of a range that is on a page: as many versions as it has rows, since a history has no gaps. */
function pageOf(range: VersionRange, { before, after, pageSize = PAGE_ROWS }: StatementPage): VersionRange {
  const within = (version: bigint): bigint =>
    version < range.from ? range.from : version > range.past ? range.past : version;
  if (after !== undefined) {
    const from = within(BigInt(after) + 1n);
    return { from, past: within(from + BigInt(pageSize)) };
  }
  const past = before === undefined ? range.past : within(BigInt(before));
  return { from: within(past - BigInt(pageSize)), past };
}

/** The whole statement as a file, oldest first, between rows with the opening and the closing balance; streamed. */
export async function exportStatement(
  { db: { patient }, timeZone: ownZone }: Services,
  actor: Actor,
  query: StatementQuery & { readonly timeZone?: string },
  format: 'xlsx' | 'csv',
): Promise<FileAnswer> {
  const { account, wallet, range, opening, closing } = await patient.snapshot((on) => openStatement(on, actor, query));
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
    for (let { from } = range; from < range.past; from += PIECE_ROWS) {
      const past = from + PIECE_ROWS;
      const piece = await readMovements(patient, wallet, { from, past: past < range.past ? past : range.past });
      for (const movement of await describe(patient, actor, account, piece))
        yield STATEMENT_COLUMNS.map((column) => column.value(movement, formatTime));
    }
    yield end(STATEMENT_ENDS.closing, query.endDate, closing);
  }
  // Whoever opens the file may be elsewhere: the zone of its times is named.
  const headers = STATEMENT_COLUMNS.map(({ header }, index) => (index === 0 ? `${header} (${timeZone})` : header));
  return {
    fileName: `Statement-${account.username}${query.wallet === 'credit' ? '' : `-${query.wallet}`}.${format}`,
    rows: Number(range.past - range.from) + 2,
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
  readonly range: VersionRange;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly sums: { into: bigint; outOf: bigint };
}

async function openStatement(on: Queryable, actor: Actor, query: StatementQuery): Promise<OpenedStatement> {
  const [account] = await on.query<Owner>(
    `select a.id, a.network_id, a.username, a.role from accounts a where a.id = $2 and ${inSubtree('a', '$1')}`,
    [actor.id, query.id ?? actor.id],
  );
  if (!account) throw new CallError('NOT_FOUND');
  const wallet = await findWallet(on, account.network_id, `${query.wallet}:${account.id}`);
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
  movements: readonly LedgerMovement[],
): Promise<Movement[]> {
  const across = await accountsAcross(on, account, movements);
  const others = movements.map((movement) => otherAccount(movement, account, across));
  const named = await on.query<Named>(
    `select a.id, a.username, a.role, ${inSubtree('a', '$1')} as visible from accounts a where a.id = any($2::uuid[])`,
    [actor.id, [...others, ...movements.map((movement) => movement.actorId)].filter((id) => id !== null)],
  );
  const accounts = new Map(named.map((row) => [row.id, row]));
  const nameOf = ({ id, username, role, visible }: Named): string =>
    visible || id === actor.chain.at(-2) ? username : roleName(role);
  const games = await on.query<{ id: string; name: string }>('select id, name from games where id = any($1::uuid[])', [
    movements.filter(isWithGame).map((movement) => movement.otherOwner),
  ]);
  const gameNames = new Map(games.map((game) => [game.id, game.name]));

  return movements.map((movement, index) => {
    const { id, kind, amount, otherKind, otherOwner, actorId } = movement;
    const other = accounts.get(others[index] ?? '');
    const by = accounts.get(actorId ?? '');
    const isOther = other !== undefined && other.id !== account.id;
    return {
      _id: id,
      at: movement.at.toISOString(),
      kind: kindOutside(kind),
      counterpart: isWithGame(movement)
        ? (gameNames.get(otherOwner) ?? '')
        : isOther
          ? nameOf(other)
          : OWN_WALLETS[otherKind],
      counterpartId: isOther && other.visible ? other.id : null,
      counterpartRole: isOther ? other.role : null,
      actor: by ? nameOf(by) : null,
      // What somebody outside the chain wrote, before the account was moved here, was not for this reader.
      note: !by || by.visible || actor.chain.includes(by.id) ? movement.note || null : null,
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
function otherAccount(movement: LedgerMovement, account: Owner, across: ReadonlyMap<string, string>): string | null {
  const { id, kind, otherKind, otherOwner, actorId, reference } = movement;
  if (otherKind !== 'boundary') return otherKind === 'issuance' || isWithGame(movement) ? null : otherOwner;
  if (account.network_id !== ROOT_NETWORK) return actorId;
  return kind === 'return' ? reference : (across.get(id) ?? null);
}

/** Whether the other side is the table or the escrow of a game. */
function isWithGame({ otherKind }: LedgerMovement): boolean {
  return otherKind === 'table' || otherKind === 'escrow';
}

/** The words of the calls for what goes down and up the tree. */
function kindOutside(kind: TransferKind): Movement['kind'] {
  return kind === 'give' ? 'credit' : kind === 'takeBack' ? 'debit' : kind;
}

/**
 * Whose wallet a superadmin's transfer across a border reached, by the id of its own half. Both boundary wallets are in the same
 * transfers, one half each, so the other half has the same version in the boundary wallet of the network.
 */
async function accountsAcross(
  on: Queryable,
  account: Owner,
  movements: readonly LedgerMovement[],
): Promise<Map<string, string>> {
  const halves = movements.filter(({ otherKind, kind }) => otherKind === 'boundary' && kind !== 'return');
  if (account.network_id !== ROOT_NETWORK || halves.length === 0) return new Map();
  const rows = await on.query<{ id: string; owner_id: string }>(
    `select half.id, w.owner_id
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as half (id, admin_id, version)
     join networks n on n.admin_id = half.admin_id
     join wallets border on border.network_id = n.id and border.owner_id = n.admin_id and border.kind = ${WALLET_KINDS.boundary}
     cross join lateral (
       select to_wallet as wallet from transfers t
       where t.network_id = n.id and t.from_wallet = border.id and t.from_version = half.version
       union all
       select from_wallet from transfers t where t.network_id = n.id and t.to_wallet = border.id and t.to_version = half.version
     ) as other
     join wallets w on w.network_id = n.id and w.id = other.wallet`,
    [halves.map((half) => half.id), halves.map((half) => half.otherOwner), halves.map((half) => half.otherVersion)],
  );
  return new Map(rows.map((row) => [row.id, row.owner_id]));
}
