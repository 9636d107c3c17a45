import { percentOf, pointsOf } from '@drawhouse/contract/core/primitives';
import type { Panel } from '@drawhouse/contract/live/live';
import { boosterMean, highestBooster } from '@drawhouse/rules/fair/booster';
import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { headsAboveStake, type GameRules } from '@drawhouse/rules/games/rules';
import type { StoredLine } from '@drawhouse/rules/games/ticket-lines';
import { runningWorst, type RunningWorst, worstResult } from '@drawhouse/rules/games/worst-result';
import type { Tx, Queryable } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { lockEscrow } from '../../ledger/stakes.ts';
import type { BetDraw, DrawFacts } from '../place/bet-draw.ts';
import { needOfTable, sumOf, type Stakes } from './table-need.ts';
import { allStakes } from '../tickets.sql.ts';
import { commissionCeiling, tableLine, tablesAreBelow } from '../../accounts/accounts.sql.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { tableBalance, balanceOf } from '../../ledger/wallets.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';
import type { PairRow } from '../../games/games.sql.ts';

/** Limits payout and stakes per draw: JSON numbers are exact below it. */
const MOST_OF_DRAW: bigint = 2n ** 53n;

export interface TableBound {
  /** Refuses if the worst case exceeds table funds. */
  refusalOf(lines: readonly StoredLine[]): CallError | undefined;
  count(lines: readonly StoredLine[]): void;
  /** Maximum escrow including these bets; undefined if the escrow is locked and thus exact. */
  readonly escrowAtMost?: bigint | undefined;
}

export interface BoundedBets {
  readonly lines: Iterable<StoredLine>;
  readonly stake: bigint;
}

/**
 * A table never falls below the negative line (below zero for heads above 100 %), and payouts never exceed
 * `MOST_OF_DRAW`. Starts with a lock-free estimate, all stakes on the best-paying result; the stake transfer rechecks
 * the escrow against it. Near the bound, or with `exact`, locks the escrow and judges each bet by the worst result.
 */
export async function readTableBound(
  tx: Tx,
  draw: Pick<BetDraw, 'id' | 'escrow' | 'table' | 'line' | 'others'>,
  known: DrawFacts,
  { lines, stake }: BoundedBets,
  exact: boolean,
): Promise<TableBound> {
  const { row } = known;
  // Need before balance: settlement lowers the balance by at most that need.
  const read = (): Promise<[bigint, TableState]> =>
    Promise.all([draw.others ? needOfTable(tx, row, draw.id) : 0n, readTable(tx, row, row)]);
  if (!exact) {
    const { spare, line } = draw.others ? spareOf(await read()) : { spare: draw.table, line: draw.line };
    const budget = some(lines, headsAbove(known)) && line > 0n ? spare : spare + line;
    const escrowAtMost = lesser(
      stakesPaidBy(budget, maxGeneratedPay(known)),
      stakesPaidBy(MOST_OF_DRAW, maxDeclaredPay(known)),
    );
    if ((draw.escrow + stake) * 2n <= escrowAtMost)
      return { refusalOf: () => undefined, count: () => {}, escrowAtMost };
  }
  const [, stakes, [need, { balance, line, ceiling }]] = await Promise.all([
    lockEscrow(tx, row.network_id, row.game_id),
    allStakes(tx, row),
    read(),
  ]);
  return exactBound(known, stakes, { spare: balance - need, line, ceiling, stake });
}

const spareOf = ([need, { balance, line }]: [bigint, TableState]): { spare: bigint; line: bigint } => ({
  spare: balance - need,
  line,
});

interface TableFunds {
  readonly spare: bigint;
  readonly line: bigint;
  readonly ceiling: number;
  readonly stake: bigint;
}

/** Requires the escrow lock. */
function exactBound(known: DrawFacts, stakes: Stakes, { spare, line, ceiling, stake }: TableFunds): TableBound {
  const isAbove = headsAbove(known);
  const all = tally(known, stakes, ceiling);
  const above = tally(known, new Map([...stakes].filter(([key]) => isAbove(key))), ceiling);
  // Declared results may use a higher booster than the odds allow.
  const mayBeTooLarge = sumOf(stakes) + stake > stakesPaidBy(MOST_OF_DRAW, maxDeclaredPay(known));
  const utmost = mayBeTooLarge ? runningWorst(known.rules, stakes, known.rules.maxBooster) : undefined;
  const stakesIn = (lines: readonly StoredLine[]): [string, bigint][] =>
    lines.map(({ key, qty }) => [key, BigInt(qty) * known.row.unit_price]);
  return {
    refusalOf(lines) {
      const more = stakesIn(lines);
      const moreAbove = more.filter(([key]) => isAbove(key));
      if (utmost && utmost.with(more) > MOST_OF_DRAW)
        return new CallError('LIMIT_REACHED', { fields: { lines: TICKET_TEXTS.drawFull } });
      const fits = all.fits(more, spare + line) && (moreAbove.length === 0 || above.fits(moreAbove, spare));
      return fits ? undefined : new CallError('LIMIT_REACHED', { message: TICKET_TEXTS.notCovered });
    },
    count(lines) {
      const more = stakesIn(lines);
      utmost?.add(more);
      all.add(more);
      above.add(more.filter(([key]) => isAbove(key)));
    },
  };
}

type Staked = readonly (readonly [key: string, stake: bigint])[];

interface Tally {
  add(more: Staked): void;
  /** The draw costs at most `atMost`, or no more than before. */
  fits(more: Staked, atMost: bigint): boolean;
}

function tally({ rules, booster }: DrawFacts, stakes: Stakes, ceiling: number): Tally {
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

function headsAbove({ rules, above }: DrawFacts): (key: string) => boolean {
  if (above.size === 0) return () => false;
  return (key) => above.has(rules.betOf(key)!.head);
}

function some(lines: Iterable<StoredLine>, is: (key: string) => boolean): boolean {
  for (const { key } of lines) if (is(key)) return true;
  return false;
}

/** Within the odds. */
function maxGeneratedPay({ rules, booster }: Pick<DrawFacts, 'rules' | 'booster'>): bigint {
  return BigInt(Math.max(...rules.heads.map((head) => head.payHundredths)) * booster);
}

function maxDeclaredPay({ rules }: Pick<DrawFacts, 'rules'>): bigint {
  return maxGeneratedPay({ rules, booster: rules.maxBooster });
}

function stakesPaidBy(amount: bigint, pay: bigint): bigint {
  return amount > 0n ? (amount * BigInt(PAY_SCALE)) / pay : 0n;
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Ceiling in hundredths of a percent. */
interface TableState {
  readonly balance: bigint;
  readonly line: bigint;
  readonly ceiling: number;
}

/**
 * Uses the larger of opening and current ceiling: draws pay opening rates, newer accounts their first rate.
 * `checkCommissions` enforces both.
 */
export async function readTable(
  on: Queryable,
  { network_id, game_id }: Pick<DrawRow, 'network_id' | 'game_id'>,
  draw: Pick<DrawRow, 'commission_ceiling'> | undefined,
): Promise<TableState> {
  const network = sql`${network_id}::int`;
  const [row] = await on.query<TableState>(
    sql`select ${tableBalance(network, sql`${game_id}`)} as balance, ${tableLine(network)} as line,
            greatest(${commissionCeiling(network)}, ${draw?.commission_ceiling ?? 0}::int) as ceiling`.named(
      'table-state',
    ),
  );
  return row!;
}

/** Upper bound by ceiling. Excludes remainders of earlier draws (below a hundredth per account). */
export function commissionOn(stakes: bigint, ceiling: number): bigint {
  return (stakes * BigInt(ceiling) + 9_999n) / 10_000n;
}

interface Running {
  readonly draw: DrawRow | undefined;
  readonly rules: GameRules;
  readonly stakes: Stakes;
}

export async function readTableFigures(
  on: Queryable,
  pair: PairRow,
  { draw, rules, stakes }: Running,
): Promise<Panel['table']> {
  const [state, need, credit, [network]] = await Promise.all([
    readTable(on, pair, draw),
    needOfTable(on, pair, draw?.id),
    balanceOf(on, pair.network_id, `credit:${pair.admin_id}`),
    on.query<{ below: boolean }>(
      sql`select ${tablesAreBelow(sql`${pair.network_id}`)} as below`.named('tables-are-below'),
    ),
  ]);
  const cover = draw?.cover ?? 0n;
  const spare = state.balance - cover - need;
  return {
    backing: pointsOf(credit + cover + (spare > 0n ? spare : 0n)),
    commissionCeiling: percentOf(state.ceiling),
    lacking: draw?.draw_status === 'open' ? pointsOf(lackingFor(draw, { rules, stakes, ...state, spare })) : 0,
    opensNoDraw: network!.below,
  };
}

interface Backed {
  readonly rules: GameRules;
  readonly stakes: Stakes;
  readonly spare: bigint;
  readonly line: bigint;
  readonly ceiling: number;
}

/** Missing until one more unit is accepted on any bet. */
function lackingFor(
  { weights, unit_price: price }: Pick<DrawRow, 'weights' | 'unit_price'>,
  { rules, stakes, spare, line, ceiling }: Backed,
): bigint {
  const booster = highestBooster(weights);
  const above = headsAboveStake(rules, boosterMean(weights));
  const lacks = (open: Stakes, heads: GameRules['heads'], covered: bigint): bigint => {
    if (heads.length === 0) return 0n;
    const pay = BigInt(Math.max(...heads.map((head) => head.payHundredths)) * booster);
    const sum = sumOf(open) + price;
    const pays = (worstResult(rules, open, booster)?.pays ?? 0n) + (price * pay) / 100n;
    const missing = pays + commissionOn(sum, ceiling) - sum - covered;
    return missing > 0n ? missing : 0n;
  };
  const onAbove = new Map([...stakes].filter(([key]) => above.has(rules.betOf(key)!.head)));
  const all = lacks(stakes, rules.heads, spare + line);
  const alone = lacks(
    onAbove,
    rules.heads.filter(({ name }) => above.has(name)),
    spare,
  );
  return all > alone ? all : alone;
}
