import { pointsText } from '@drawhouse/contract/frame/primitives';
import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Result } from '@drawhouse/rules/rules';
import { paidBy } from '@drawhouse/rules/wins';
import { sql } from '../db/sql.ts';
import type { Tx } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { CallError } from '../http/http-errors.ts';
import { creditOfAdmin } from '../ledger/pay-out.ts';
import { lockWallets, move } from '../ledger/post.ts';
import type { Posting } from '../ledger/post.ts';
import { adminOf } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import type { Services } from '../services.ts';
import { needOfTable, playOf } from '../tickets/table-need.ts';

type CoverServices = Pick<Services, 'clock' | 'newId' | 'events'>;

/** A result that somebody declares for a draw. */
export interface Declared {
  readonly result: Result;
  readonly booster: number;
  readonly actorId: string;
}

/**
 * Moves what the table lacks to pay a declared result from the admin's credit to the table, or back if an earlier result needed more: afterwards
 * the draw's cover is max(0, wins + commissions − its stakes − what the table has beyond its other draws' need). Commissions are bounded from
 * above, by less than a hundredth per earning account; that stays on the table. The draw is locked and closed. Returns the cover. Throws NOT_COVERED if the
 * admin's credit is too little.
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
  // A draw whose own stakes pay the result needs nothing of the table.
  const spare = lacks > 0n ? wallets.get(table)!.balance - before - (await needOfTable(tx, draw, draw.id)) : 0n;
  const cover = lacks > 0n ? atLeastNothing(lacks - atLeastNothing(spare)) : 0n;
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
 * Returns the cover of a draw that got another result, or none, to the admin, at a time at which the wallets are locked. Whoever locks others in the
 * same transaction locks these with them, by {@link coverWallets}.
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

/** The postings by which the cover of a draw goes back; none if it has none. */
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

/** Selects the wallets between which the cover of a draw goes back, to be locked with others. */
export function coverWallets({ network_id: networkId, game_id: gameId }: Pick<DrawRow, 'network_id' | 'game_id'>): Sql {
  return sql`select ${WALLET_KINDS.table}::smallint as wallet_kind, ${gameId}::uuid as owner_id union all ${creditOfAdmin(networkId)}`;
}

/** The posting of an amount, the other way round below zero; none of nothing. */
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
    message: `This result is not covered: the admin lacks ${pointsText(short)} points of credit to pay it.`,
    shortfall: short,
  });
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
