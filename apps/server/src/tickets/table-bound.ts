import { pointsText } from '@drawhouse/contract/frame/primitives';
import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import type { StoredLine } from '@drawhouse/rules/ticket-lines';
import { runningWorst } from '@drawhouse/rules/worst';
import type { RunningWorst } from '@drawhouse/rules/worst';
import type { Tx } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { lockEscrow } from '../ledger/stakes.ts';
import type { BetDraw, KnownDraw } from './bet-draw.ts';
import { commissionOn, readTable } from './table-state.ts';
import type { TableState } from './table-state.ts';
import { needOfTable, sumOf } from './table-need.ts';
import type { Stakes } from './table-need.ts';
import { stakesOf } from './tickets.sql.ts';

/** The most that a draw may come to pay, and that may be staked on it, in hundredths: more, a number of JSON does not hold exactly. */
const MOST_OF_DRAW: bigint = 2n ** 53n;

/** What the table of a game can still take on. */
export interface TableBound {
  /** Why a bet can't be taken: the draw could come to more than the table can pay. Undefined if it could not. */
  refusalOf(lines: readonly StoredLine[]): CallError | undefined;
  /** Counts a bet that is taken. */
  count(lines: readonly StoredLine[]): void;
  /** The most that the escrow may come to with these bets; undefined if it is locked, so that the bound is exact. */
  readonly escrowAtMost?: bigint | undefined;
}

/** The bets of a batch: their lines, and their stakes in hundredths. */
export interface BoundedBets {
  readonly lines: Iterable<StoredLine>;
  readonly stake: bigint;
}

/**
 * What bets on a draw may take out of its table at most: a draw never takes it below minus its line, bets on heads that return more than is laid
 * on them never below zero, and no draw pays more than the books hold. First the cheap estimate, as if all that is staked on the game stood on the one result
 * that pays the most: far from the bound nothing is locked, and the escrow, which everybody stakes into, is held against the estimate when the stakes move. Near it,
 * or with `exact`, the escrow is locked, so that nobody else stakes on the game meanwhile, and each bet is judged by the worst result.
 */
export async function readTableBound(
  tx: Tx,
  draw: Pick<BetDraw, 'id' | 'escrow' | 'table' | 'line' | 'others'>,
  known: KnownDraw,
  { lines, stake }: BoundedBets,
  exact: boolean,
): Promise<TableBound> {
  const { row } = known;
  // The need of other draws is sent before the balance, which their settlement lowers by no more than that.
  const read = (): Promise<[bigint, TableState]> =>
    Promise.all([draw.others ? needOfTable(tx, row, draw.id) : 0n, readTable(tx, row, row)]);
  if (!exact) {
    const { spare, line } = draw.others ? spareOf(await read()) : { spare: draw.table, line: draw.line };
    const budget = some(lines, headsAbove(known)) && line > 0n ? spare : spare + line;
    const escrowAtMost = lesser(stakesPaidBy(budget, highestPay(known)), stakesPaidBy(MOST_OF_DRAW, utmostPay(known)));
    if ((draw.escrow + stake) * 2n <= escrowAtMost)
      return { refusalOf: () => undefined, count: () => {}, escrowAtMost };
  }
  const [, stakes, [need, { balance, line, ceiling }]] = await Promise.all([
    lockEscrow(tx, row.network_id, row.game_id),
    stakesOf(tx, row),
    read(),
  ]);
  return exactBound(known, stakes, { spare: balance - need, line, ceiling, stake });
}

const spareOf = ([need, { balance, line }]: [bigint, TableState]): { spare: bigint; line: bigint } => ({
  spare: balance - need,
  line,
});

/** What a table has beyond the need of its other draws, how far it may fall below zero, what share of stakes its chains may earn, and what the batch stakes. */
interface Means {
  readonly spare: bigint;
  readonly line: bigint;
  readonly ceiling: number;
  readonly stake: bigint;
}

/** The bound of a draw on which nobody else stakes meanwhile. */
function exactBound(known: KnownDraw, stakes: Stakes, { spare, line, ceiling, stake }: Means): TableBound {
  const isAbove = headsAbove(known);
  const all = tally(known, stakes, ceiling);
  const above = tally(known, new Map([...stakes].filter(([key]) => isAbove(key))), ceiling);
  // Whoever declares a result may choose a higher booster than the odds allow.
  const mayBeTooLarge = sumOf(stakes) + stake > stakesPaidBy(MOST_OF_DRAW, utmostPay(known));
  const utmost = mayBeTooLarge ? runningWorst(known.rules, stakes, known.rules.maxBooster) : undefined;
  const stakesIn = (lines: readonly StoredLine[]): [string, bigint][] =>
    lines.map(({ key, qty }) => [key, BigInt(qty) * known.row.unit_price]);
  return {
    refusalOf(lines) {
      const more = stakesIn(lines);
      const moreAbove = more.filter(([key]) => isAbove(key));
      const most = utmost?.with(more) ?? 0n;
      if (most > MOST_OF_DRAW) return tooLarge(most, utmost!.with([]));
      const fits = all.fits(more, spare + line) && (moreAbove.length === 0 || above.fits(moreAbove, spare));
      return fits ? undefined : new CallError('LIMIT_REACHED', { message: NOT_COVERED });
    },
    count(lines) {
      const more = stakesIn(lines);
      utmost?.add(more);
      all.add(more);
      above.add(more.filter(([key]) => isAbove(key)));
    },
  };
}

const NOT_COVERED = 'The game cannot cover this bet.';

type Staked = readonly (readonly [key: string, stake: bigint])[];

/** What stakes come to while bets are taken. */
interface Tally {
  add(more: Staked): void;
  /** True if with these bets the draw takes no more out of its table than this, or no more than before. */
  fits(more: Staked, atMost: bigint): boolean;
}

function tally({ rules, booster }: KnownDraw, stakes: Stakes, ceiling: number): Tally {
  const worst: RunningWorst = runningWorst(rules, stakes, booster);
  let staked = sumOf(stakes);
  const takenWith = (more: Staked): bigint => {
    const sum = more.reduce((all, [, stake]) => all + stake, staked);
    const taken = worst.with(more) + commissionOn(sum, ceiling) - sum;
    return taken > 0n ? taken : 0n;
  };
  return {
    add(more) {
      worst.add(more);
      staked = more.reduce((all, [, stake]) => all + stake, staked);
    },
    fits(more, atMost) {
      const taken = takenWith(more);
      return taken <= atMost || taken <= takenWith([]);
    },
  };
}

function tooLarge(most: bigint, before: bigint): CallError {
  return new CallError('LIMIT_REACHED', {
    fields: {
      lines:
        `With this bet ${pointsText(most)} points could be won on the draw; the most that a draw can pay is ` +
        `${pointsText(MOST_OF_DRAW)}, of which ${pointsText(MOST_OF_DRAW - before)} are left`,
    },
  });
}

/** Tells of a bet key whether its head returns more than is laid on it in the long run. */
function headsAbove({ rules, above }: KnownDraw): (key: string) => boolean {
  if (above.size === 0) return () => false;
  return (key) => above.has(rules.betOf(key)!.head);
}

function some(lines: Iterable<StoredLine>, is: (key: string) => boolean): boolean {
  for (const { key } of lines) if (is(key)) return true;
  return false;
}

/** What a unit pays at most, in hundredths, with the highest booster that the odds allow. */
function highestPay({ rules, booster }: Pick<KnownDraw, 'rules' | 'booster'>): bigint {
  return BigInt(Math.max(...rules.heads.map((head) => head.payHundredths)) * booster);
}

/** The same with the highest booster that a result can be declared with. */
function utmostPay({ rules }: Pick<KnownDraw, 'rules'>): bigint {
  return highestPay({ rules, booster: rules.maxBooster });
}

/** The stakes that an amount pays if a unit pays this, none below zero. */
function stakesPaidBy(amount: bigint, pay: bigint): bigint {
  return amount > 0n ? (amount * BigInt(PAY_SCALE)) / pay : 0n;
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
