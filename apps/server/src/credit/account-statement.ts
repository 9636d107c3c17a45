import type { Movement } from '@drawhouse/contract/credit/credit';
import { pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import { STATEMENT_ENDS, type statement } from '@drawhouse/contract/credit/statement';
import { loggedPerson } from '../activity/log-source.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK, WALLET_KINDS, type TransferKind, type WalletKind } from '@drawhouse/rules/records/ledger-kinds';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import { nameUuid } from '../platform/db/sql/uuids.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { countKind, readKind, type DrawnWallet, type BulkKind } from '../ledger/movement-kinds.ts';
import {
  balanceBefore,
  requireWallet,
  historyIn,
  readEntries,
  versionSince,
  type Movement as LedgerMovement,
} from '../ledger/movements.ts';
import type { WalletOf } from '../ledger/wallets.ts';
import { sumGaps, type WalletGap } from '../ledger/wallet-gaps.ts';
import type { HistorySource, Owner as HistoryOwner } from '../platform/lists/serve-history.ts';
import { periodBetween } from '../platform/time/clock.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import { timeWords } from '../protection/protection-texts.ts';
import { fromWireKind, toWireKind, nameFor, noteFor, type Party } from './visible-transfer.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { CREDIT_TEXTS } from './credit-texts.ts';
import { CREDIT_KINDS } from './reverse-transfer.ts';

export interface Owner {
  id: string;
  network_id: number;
  username: string;
  role: Role;
}

export interface WalletPeriodQuery {
  readonly wallet: 'credit' | 'commission' | 'winnings';
  readonly startDate: string;
  readonly endDate: string;
}

export function ownerOf(actor: Actor, id: string | undefined): HistoryOwner {
  return {
    select: sql`a.id, a.network_id, a.username, a.role`,
    from: sql`accounts a`,
    where: sql`a.id = ${id ?? actor.id}`,
    authority: inSubtree('a', actor),
  };
}

export async function readWalletPeriod(on: Queryable, account: Owner, { wallet: kind, ...dates }: WalletPeriodQuery) {
  if (kind === 'winnings' && account.role !== 'user')
    throw new CallError('INVALID_INPUT', { fields: { wallet: CREDIT_TEXTS.onlyPlayersWinnings } });
  const found = await requireWallet(on, account.network_id, `${kind}:${account.id}`);
  const wallet: DrawnWallet = { ...found, masses: massesOf(account.role, kind) };
  const range = await historyIn(on, wallet, periodBetween(dates));
  const opening = await balanceBefore(on, wallet, range.from);
  return { wallet, range, opening, closing: await balanceBefore(on, wallet, range.past) };
}

function massesOf(role: Role, wallet: WalletPeriodQuery['wallet']): readonly BulkKind[] {
  if (wallet === 'commission') return ['commission'];
  if (role !== 'user') return [];
  return wallet === 'winnings' ? ['win'] : ['stake', 'win'];
}

export type TicketNumber = (id: string) => string;

export const statementSource = (ticketNumber: TicketNumber): HistorySource<typeof statement, Actor, Owner> => ({
  owner: ({ actor, query }) => ownerOf(actor, query.id),
  async open(on, { actor, query, timeZone }, account) {
    const { startDate, endDate } = query;
    const kind = query.kind === undefined ? undefined : fromWireKind(query.kind);
    const { wallet, range, ...balances } = await readWalletPeriod(on, account, query);
    const [opening, closing] = [pointsOf(balances.opening), pointsOf(balances.closing)];
    const gaps = kind === undefined ? await sumGaps(on, wallet, range) : undefined;
    const restores = kind === undefined ? await readRestores(on, wallet, query) : [];
    return {
      range,
      total: Number(
        kind === undefined
          ? range.past - range.from - gaps!.movements + gaps!.gaps + BigInt(restores.length)
          : await countKind(on, wallet, kind, range),
      ),
      async read(reader, within, next) {
        if (kind !== undefined) {
          const page = await readKind(reader, wallet, kind, within, next);
          return { range: page.range, rows: await describe(reader, actor, account, page.movements, ticketNumber) };
        }
        const found = await readEntries(reader, wallet, within, next);
        const movements = found.entries.flatMap((entry) => (isGap(entry) ? [] : [entry]));
        const described = await describe(reader, actor, account, movements, ticketNumber);
        const rows = found.entries.map((entry) => ({
          version: entry.version,
          row: isGap(entry) ? clearedRow(wallet, entry, timeZone) : described[movements.indexOf(entry)]!,
        }));
        const isFirst = found.range.from === range.from;
        return { range: found.range, rows: withRestores(rows, isFirst ? opening : null, restores, timeZone) };
      },
      extra: {
        account: { _id: account.id, username: account.username, role: account.role },
        opening,
        closing,
      },
      of: { Account: `${account.username} (${account.role})`, Wallet: capitalized(query.wallet) },
      fileName: `Statement-${account.username}${query.wallet === 'credit' ? '' : `-${query.wallet}`}`,
      ends: [
        { at: startDate, kind: STATEMENT_ENDS.opening, balance: opening },
        { at: endDate, kind: STATEMENT_ENDS.closing, balance: closing },
      ],
    };
  },
});

function capitalized(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

async function describe(
  on: Queryable,
  actor: Actor,
  account: Owner,
  movements: readonly LedgerMovement[],
  ticketNumber: TicketNumber,
): Promise<Movement[]> {
  const across = await accountsAcross(on, account, movements);
  const others = movements.map((movement) => otherAccount(movement, account, across));
  const above = actor.chain[0]!;
  const ids = [...others, ...movements.map((movement) => movement.actorId)].filter((id) => id !== null);
  const named = await on.query<Party & { readonly id: string; readonly deleted: boolean }>(
    sql`select a.id, a.username, a.role, a.deleted_at is not null as deleted, a.chain @> array[${actor.id}]::uuid[] as visible
     from accounts a where a.id = any(${ids}::uuid[])
     union all
     -- Superadmin of the former installation.
     select distinct on (m.account_id) m.account_id, m.username, 'superadmin', true, ${actor.id === above}::boolean from moved_activity m
     where m.network_id = ${account.network_id} and m.account_id = any(${ids}::uuid[])
       and not exists (select from accounts a where a.id = m.account_id)`,
  );
  // A superadmin from before a move appears as the current one.
  const accounts = new Map(named.map((row) => [row.id, row.role === 'superadmin' ? { ...row, id: above } : row]));
  const games = await on.query<{ id: string; name: string }>(
    sql`select id, name from games where id = any(${movements.filter(isWithGame).map((movement) => movement.otherOwner)}::uuid[])`,
  );
  const persons = await personsOf(on, movements);
  const distant = await findDistantNames(on, movements);
  const gameNames = new Map(games.map((game) => [game.id, game.name]));

  return movements.map((movement, index) => {
    const { id, kind, amount, otherKind, otherOwner, actorId } = movement;
    const other = accounts.get(others[index] ?? '');
    const by = accounts.get(actorId ?? '');
    const isOther = other !== undefined && other.id !== account.id;
    return {
      _id: id,
      at: movement.at.toISOString(),
      kind: toWireKind(kind),
      counterpart: isWithGame(movement)
        ? (gameNames.get(otherOwner) ?? '')
        : isOther
          ? nameFor(actor, other)
          : ((movement.reference && distant.get(movement.reference)) ?? OWN_WALLETS[otherKind]),
      counterpartId: isOther && other.visible && !other.deleted ? other.id : null,
      counterpartRole: isOther ? other.role : null,
      actor: by ? ((by.visible ? persons.get(id) : undefined) ?? nameFor(actor, by)) : null,
      actorId: by?.visible && !by.deleted ? by.id : null,
      actorRole: by?.role ?? null,
      ticket: movement.reference !== null && OF_TICKETS.includes(kind) ? ticketNumber(movement.reference) : null,
      note: noteFor(actor, by ?? null, movement.note),
      credit: amount > 0n ? pointsOf(amount) : 0,
      debit: amount < 0n ? pointsOf(-amount) : 0,
      balance: pointsOf(movement.balance),
    };
  });
}

async function personsOf(on: Queryable, movements: readonly LedgerMovement[]): Promise<ReadonlyMap<string, string>> {
  const byHand = movements.filter(({ actorId, kind }) => actorId !== null && !OF_TICKETS.includes(kind));
  const found = await on.query<{ id: string; person: string | null }>(
    sql`select t.id, ${loggedPerson({ by: sql`t.actor_id`, of: 'transferId', id: sql`t.id`, from: sql`t.at` })} as person
      from unnest(${byHand.map(({ id }) => id)}::uuid[], ${byHand.map(({ actorId }) => actorId)}::uuid[],
        ${byHand.map(({ at }) => at)}::timestamptz[]) as t (id, actor_id, at)`,
  );
  return new Map(found.flatMap(({ id, person }) => (person === null ? [] : [[id, person]])));
}

function isGap(entry: LedgerMovement | WalletGap): entry is WalletGap {
  return 'firstVersion' in entry;
}

function clearedRow({ networkId, walletId }: WalletOf, gap: WalletGap, timeZone: string): Movement {
  const [first, last] = [dayOf(gap.firstAt, timeZone), dayOf(gap.at, timeZone)];
  const count = gap.version - gap.firstVersion + 1n;
  return {
    _id: nameUuid(`cleared:${networkId}:${walletId}:${gap.firstVersion}`),
    at: gap.at.toISOString(),
    kind: 'cleared',
    counterpart: `${count} ${count === 1n ? 'movement' : 'movements'}`,
    counterpartId: null,
    counterpartRole: null,
    actor: null,
    actorId: null,
    actorRole: null,
    ticket: null,
    note: first === last ? first : CREDIT_TEXTS.days(first, last),
    credit: pointsOf(gap.gained),
    debit: pointsOf(gap.spent),
    balance: pointsOf(gap.balance),
  };
}

interface RestoreMark {
  readonly at: Date;
  readonly takenAt: Date;
  /** 0 before the first movement. */
  readonly after: bigint;
}

/** Oldest first. Several rows may share one backup. */
async function readRestores(on: Queryable, wallet: WalletOf, dates: WalletPeriodQuery): Promise<RestoreMark[]> {
  const { from, until } = periodBetween(dates);
  const found = await on.query<{ at: Date; takenAt: Date }>(
    sql`select max(at) as at, taken_at as "takenAt" from restores
      where network_id = ${wallet.networkId} and at >= ${from} and at < ${until} group by taken_at order by 1`,
  );
  const marks: RestoreMark[] = [];
  for (const { at, takenAt } of found) {
    // The restore's refunds precede it.
    const next = await versionSince(on, wallet, new Date(at.getTime() + 1));
    marks.push({ at, takenAt, after: next - 1n });
  }
  return marks;
}

/** Oldest first. Marks before all rows lead only if the page starts with an opening balance. */
function withRestores(
  rows: readonly { readonly version: bigint; readonly row: Movement }[],
  opening: number | null,
  restores: readonly RestoreMark[],
  timeZone: string,
): Movement[] {
  const first = rows[0]?.version;
  const before = restores.filter(({ after }) => opening !== null && (first === undefined || after < first));
  return [
    ...before.map((mark) => restoredRow(mark, opening!, timeZone)),
    ...rows.flatMap(({ version, row }) => [
      row,
      ...restores.filter(({ after }) => after === version).map((mark) => restoredRow(mark, row.balance, timeZone)),
    ]),
  ];
}

function restoredRow({ at, takenAt }: RestoreMark, balance: number, timeZone: string): Movement {
  return {
    _id: nameUuid(`restored:${at.toISOString()}:${takenAt.toISOString()}`),
    at: at.toISOString(),
    kind: 'restored',
    counterpart: 'Backup',
    counterpartId: null,
    counterpartRole: null,
    actor: null,
    actorId: null,
    actorRole: null,
    ticket: null,
    note: CREDIT_TEXTS.restored(timeWords(takenAt, timeZone)),
    credit: 0,
    debit: 0,
    balance,
  };
}

const OWN_WALLETS: Record<WalletKind, string> = {
  credit: 'Credit',
  commission: 'Commission',
  winnings: 'Winnings',
  issuance: 'Issuance',
  boundary: 'Network border',
  table: 'Game table',
  escrow: 'Undrawn bets',
};

/** Admins of other cells, by the reference of a transfer to or from issuance. */
async function findDistantNames(on: Queryable, movements: readonly LedgerMovement[]): Promise<Map<string, string>> {
  const references = movements.flatMap(({ otherKind, reference }) => (otherKind === 'issuance' && reference) || []);
  if (references.length === 0) return new Map();
  const rows = await on.query<{ id: string; name: string }>(
    sql`select id, username || ' (' || cell || ')' as name from sent_credit where id = any(${references}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Across a network border, this is not the wallet's owner. */
function otherAccount(movement: LedgerMovement, account: Owner, across: ReadonlyMap<string, string>): string | null {
  const { id, kind, otherKind, otherOwner, actorId, reference } = movement;
  if (otherKind !== 'boundary') return otherKind === 'issuance' || isWithGame(movement) ? null : otherOwner;
  if (account.network_id !== ROOT_NETWORK) return actorId;
  return kind === 'return' ? reference : (across.get(id) ?? null);
}

function isWithGame({ otherKind }: LedgerMovement): boolean {
  return otherKind === 'table' || otherKind === 'escrow';
}

const OF_TICKETS: readonly TransferKind[] = ['stake', 'refund', 'win', 'claim', 'correct'];

/** Receiver of a superadmin's cross-border transfer, by the id of its own half; missing if a restore undid it. */
async function accountsAcross(
  on: Queryable,
  account: Owner,
  movements: readonly LedgerMovement[],
): Promise<Map<string, string>> {
  const halves = movements.filter(({ otherKind, kind }) => otherKind === 'boundary' && kind !== 'return');
  if (account.network_id !== ROOT_NETWORK || halves.length === 0) return new Map();
  const rows = await on.query<{ id: string; owner_id: string }>(
    sql`select half.id, w.owner_id
     from unnest(${halves.map((half) => half.id)}::uuid[], ${halves.map((half) => half.otherOwner)}::uuid[],
       ${halves.map((half) => half.reference)}::uuid[]) as half (id, admin_id, reference)
     join networks n on n.admin_id = half.admin_id
     join transfers t on t.network_id = n.id and t.network_id <> 0 and t.reference = half.reference and t.kind in ${CREDIT_KINDS}
     join wallets w on w.network_id = n.id and w.id in (t.from_wallet, t.to_wallet) and w.kind = ${sql.lit(WALLET_KINDS.credit)}
       ${sql.raw(crossNetworkComment('superadmin'))}`,
  );
  return new Map(rows.map((row) => [row.id, row.owner_id]));
}
