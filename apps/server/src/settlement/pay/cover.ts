import { pointsText } from '@drawhouse/contract/core/primitives';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Result } from '@drawhouse/rules/games/rules';
import { paidBy } from '@drawhouse/rules/games/wins';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { creditOfAdmin } from '../../ledger/pay-out.ts';
import { lockWallets, move, type Posting } from '../../ledger/post.ts';
import { adminOf, type WalletName } from '../../ledger/wallets.ts';
import type { Services } from '../../platform/services.ts';
import { needOfTable, playOf } from '../../tickets/table/table-need.ts';
import { SETTLEMENT_TEXTS } from '../settlement-texts.ts';

type CoverServices = Pick<Services, 'clock' | 'newId' | 'events'>;

export interface Declared {
  readonly result: Result;
  readonly booster: number;
  readonly actorId: string;
}

/**
 * Takes the table's shortfall for a declared result from the admin's credit, or returns it if an earlier result needed
 * more. Cover = max(0, wins + commissions − stakes − table funds beyond other draws' need). Commissions are upper
 * bounds; the excess, below a hundredth per account, stays on the table. Expects a locked, closed draw.
 */
export async function coverResult(
  tx: Tx,
  services: CoverServices,
  draw: DrawRow,
  { result, booster, actorId }: Declared,
): Promise<bigint> {
  const { network_id: networkId, game_id: gameId } = draw;
  const credit: WalletName = `credit:${await adminOf(tx, networkId)}`;
  const table: WalletName = `table:${gameId}`;
  const wallets = await lockWallets(tx, networkId, [credit, table]);
  const before = draw.cover ?? 0n;
  const { stakes, staked, commissions } = await playOf(tx, draw);
  const wins = paidBy(rulesOf(draw), (key) => stakes.get(key) ?? 0n, result, booster);
  const lacks = wins + commissions - staked;
  const spare = lacks > 0n ? wallets.get(table)!.balance - before - (await needOfTable(tx, draw, draw.id)) : 0n;
  const cover = lacks > 0n ? clampToZero(lacks - clampToZero(spare)) : 0n;
  const short = cover - before - wallets.get(credit)!.balance;
  if (short > 0n) throw notCovered(short);
  const postings = coverPostings(draw, { from: credit, to: table, amount: cover - before, actorId });
  await move(
    tx,
    networkId,
    { at: services.clock.now(), newId: services.newId, events: services.events },
    wallets,
    postings,
  );
  return cover;
}

/**
 * Take `at` with the wallets locked. If the transaction locks other wallets, include {@link coverWallets} in that same
 * lock.
 */
export async function returnCover(
  tx: Tx,
  { newId, events }: Pick<Services, 'newId' | 'events'>,
  draw: DrawRow,
  at: Date,
): Promise<void> {
  if (draw.cover === null) return;
  const { networkId, postings } = await coverReturn(tx, draw);
  const wallets = await lockWallets(
    tx,
    networkId,
    postings.flatMap(({ from, to }) => [from, to]),
  );
  await move(tx, networkId, { at, newId, events }, wallets, postings);
}

export async function coverReturn(
  tx: Tx,
  draw: DrawRow,
): Promise<{ readonly networkId: number; readonly postings: readonly Posting[] }> {
  const { network_id: networkId, game_id: gameId, cover } = draw;
  if (cover === null) return { networkId, postings: [] };
  const credit: WalletName = `credit:${await adminOf(tx, networkId)}`;
  return {
    networkId,
    postings: coverPostings(draw, { from: credit, to: `table:${gameId}`, amount: -cover, actorId: null }),
  };
}

export function coverWallets({ network_id: networkId, game_id: gameId }: Pick<DrawRow, 'network_id' | 'game_id'>): Sql {
  return sql`select ${WALLET_KINDS.table}::smallint as wallet_kind, ${gameId}::uuid as owner_id union all ${creditOfAdmin(networkId)}`;
}

/** Negative amounts reverse direction; zero yields no posting. */
function coverPostings(
  { id }: Pick<DrawRow, 'id'>,
  { from, to, amount, actorId }: Pick<Posting, 'from' | 'to' | 'amount' | 'actorId'>,
): Posting[] {
  if (amount === 0n) return [];
  const way = amount > 0n ? { from, to, amount } : { from: to, to: from, amount: -amount };
  return [{ ...way, kind: 'cover', actorId, reference: id }];
}

function notCovered(short: bigint): CallError {
  return new CallError('NOT_COVERED', {
    message: SETTLEMENT_TEXTS.notCovered(pointsText(short)),
    shortfall: short,
  });
}

function clampToZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
