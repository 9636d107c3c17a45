import { COMMISSION_PARTS } from '@drawhouse/rules/wins';
import { digestOf, judgeChange, judgeFinished, judgeResult, judgeTickets, markOf, winsBy } from './mirror-draws.ts';
import type { DrawRows, KnownTicket } from './mirror-draws.ts';
import { KeptRecords } from './mirror-kept.ts';
import { WalletsOfNetwork } from './mirror-wallets.ts';
import { given } from './sealed-entry.ts';
import type { SealedRow } from './sealed-entry.ts';

/** The levels that earn: the column of a settlement, and the place in the chain of a player, from 0. */
const EARNING = [
  ['super_commission', 2],
  ['dist_commission', 3],
  ['retail_commission', 4],
  ['user_commission', 5],
] as const;
const PLAYER = 5;

/** Rows of no network, or of all: what records of networks refer to. */
export type SharedRecords = {
  readonly games: Map<string, SealedRow>;
  readonly terms: Map<string, SealedRow>;
  /** Of each account: those above it with itself, and the percentages that it has had since the log began, in hundredths of a percent. */
  readonly accounts: Map<string, { readonly chain: readonly string[]; readonly percentages: Set<string> }>;
};

/** A draw until it is finished, with what was paid of it. */
type OpenDraw = {
  row: SealedRow;
  readonly tickets: Map<string, KnownTicket>;
  readonly wins: Map<string, bigint>;
  /** What the players' settlements say, and the commissions of those above them, which are paid with the end. */
  readonly settled: Map<string, { stake: bigint; win: bigint }>;
  readonly earned: Map<string, bigint>;
  isCollected: boolean;
  isClosed: boolean;
};

/** What was recomputed, and what could not be. */
export type RecordCounts = {
  readonly wallets: number;
  readonly balances: number;
  readonly unjudgedBalances: number;
  readonly lost: number;
  readonly results: number;
  readonly closes: number;
  readonly settlements: number;
  readonly unjudgedDraws: number;
  readonly lateDraws: number;
  readonly unjudgedCommissions: number;
};

/** The records of one network, recomputed by the rules as they come: what is wrong is told at the end of each look. */
export class NetworkRecords {
  readonly #shared: SharedRecords;
  readonly #firstLook: number;
  readonly #draws = new Map<string, OpenDraw>();
  readonly #kept = new KeptRecords();
  readonly #counts = { results: 0, closes: 0, settlements: 0, unjudgedDraws: 0, lateDraws: 0, unjudgedCommissions: 0 };
  /** Draws whose rows changed, and those that were settled, since the last look. */
  readonly #changed = new Set<string>();
  readonly #ended = new Set<string>();
  /** Draws that are finished, which are judged once, and the marks by which a later change of them is found. */
  readonly #finished = new Map<string, string>();
  readonly #problems: string[] = [];
  /** What should be there and is not: that is wrong, unless some records are known to be gone. */
  readonly #misses: string[] = [];
  #wallets: WalletsOfNetwork = new WalletsOfNetwork();
  #commissions: SealedRow[] = [];
  #isLost = false;
  #isPartial = false;
  #look: number;

  constructor(shared: SharedRecords, look: number) {
    this.#shared = shared;
    this.#firstLook = look;
    this.#look = look;
  }

  /** Some of its history is not there: its wallets can't be recomputed. */
  lose(): void {
    this.#isLost = true;
  }

  /** Any of its records may be missing: what is judged from several of them can't be. */
  losePart(): void {
    this.#isLost = true;
    this.#isPartial = true;
  }

  /** Takes a record of this network. */
  keep(table: string, row: SealedRow): void {
    switch (table) {
      case 'wallets':
        return this.#wallets.add(given(row, 'id'), given(row, 'owner_id'), Number(given(row, 'kind')));
      case 'draws':
        return this.#keepDraw(row);
      case 'tickets':
        return this.#keepTicket(row);
      case 'keeper_roots':
      case 'draw_keepers':
      case 'draw_beacons':
        return this.#kept.keep(table, row, (drawId) => this.#draws.has(drawId));
      case 'draw_settlings':
        return this.#collect(given(row, 'draw_id'));
      case 'draw_settlements':
        this.#collect(given(row, 'draw_id'));
        this.#ended.add(given(row, 'draw_id'));
        return;
      case 'player_settlements':
        return this.#keepSettlement(row);
      case 'ticket_wins':
        return this.#keepWin(row);
      case 'transfers':
        return this.#keepTransfer(row);
      case 'clearings':
      case 'restores':
      case 'moves':
        // What was cleared or left elsewhere before this network was sealed is not in the log.
        if (this.#look === this.#firstLook) this.lose();
        return;
      default:
    }
  }

  /** Ends a look of the server: all that was committed together is there. Gives what is wrong. */
  endLook(look: number): readonly string[] {
    for (const row of this.#commissions) this.#judgeCommissions(row);
    this.#commissions = [];
    for (const id of this.#changed) this.#judgeDraw(id);
    this.#changed.clear();
    for (const id of this.#ended) this.#endDraw(id);
    this.#ended.clear();
    const balances = this.#wallets.endLook();
    const misses = this.#misses.splice(0);
    if (!this.#isLost) this.#problems.push(...misses, ...balances);
    this.#look = look + 1;
    return this.#problems.splice(0);
  }

  /** The balance of each wallet, in hundredths, by its number; undefined where they can't be recomputed. */
  balances(): ReadonlyMap<string, bigint> | undefined {
    return this.#isLost ? undefined : this.#wallets.balances();
  }

  /** What was recomputed so far. */
  counts(): RecordCounts {
    const { judged, unjudged, count } = this.#wallets;
    const wallets = this.#isLost
      ? { wallets: 0, balances: 0, unjudgedBalances: 0 }
      : { wallets: count, balances: judged, unjudgedBalances: unjudged };
    return { ...this.#counts, ...wallets, lost: this.#isLost ? 1 : 0 };
  }

  #rows(row: SealedRow): DrawRows {
    const { terms: all, games } = this.#shared;
    const terms = all.get(given(row, 'terms_id'));
    return { draw: row, terms, game: games.get(given(row, 'game_id')), kept: this.#kept.of(given(row, 'id'), terms) };
  }

  #keepDraw(row: SealedRow): void {
    const id = given(row, 'id');
    const known = this.#draws.get(id);
    if (known) {
      this.#tellOf(id, judgeChange(known.row, row));
      known.row = row;
    } else {
      const mark = this.#finished.get(id);
      if (mark !== undefined) this.#tellOf(id, judgeFinished(mark, row));
      else if (row['status'] !== 'open' && this.#look > this.#firstLook) this.#counts.lateDraws++;
      this.#draws.set(id, {
        row,
        tickets: new Map(),
        wins: new Map(),
        settled: new Map(),
        earned: new Map(),
        isCollected: false,
        isClosed: false,
      });
    }
    this.#changed.add(id);
  }

  #keepTicket(row: SealedRow): void {
    const [id, drawId, account] = [given(row, 'id'), given(row, 'draw_id'), given(row, 'account_id')];
    const stake = BigInt(given(row, 'stake'));
    const draw = this.#draws.get(drawId);
    if (!draw) return this.#miss(`ticket ${id} is of draw ${drawId}, of which there is no record.`);
    const { digest, isSaid } = digestOf(row);
    if (!isSaid) this.#tellOf(drawId, [`the digest of ticket ${id} is not that of its lines.`]);
    if (draw.tickets.has(id)) return this.#tellOf(drawId, [`ticket ${id} was sealed twice.`]);
    draw.tickets.set(id, { id, account, stake, lines: given(row, 'lines'), digest });
    this.#move(['credit', account], ['escrow', given(draw.row, 'game_id')], stake);
  }

  #collect(drawId: string): void {
    const draw = this.#draws.get(drawId);
    if (!draw || draw.isCollected) return;
    draw.isCollected = true;
    const stake = [...draw.tickets.values()].reduce((sum, ticket) => sum + ticket.stake, 0n);
    const game = given(draw.row, 'game_id');
    if (stake > 0n) this.#move(['escrow', game], ['table', game], stake);
  }

  #keepSettlement(row: SealedRow): void {
    const [drawId, account] = [given(row, 'draw_id'), given(row, 'account_id')];
    const draw = this.#draws.get(drawId);
    if (!draw) return;
    if (draw.settled.has(account))
      return this.#tellOf(drawId, [`the settlement of player ${account} was sealed twice.`]);
    draw.settled.set(account, { stake: BigInt(given(row, 'stake')), win: BigInt(given(row, 'win')) });
    this.#commissions.push(row);
    const chain = this.#shared.accounts.get(account)?.chain;
    for (const [column, place] of EARNING) {
      const amount = BigInt(given(row, column));
      const earner = chain?.[place];
      if (amount === 0n || earner === undefined) continue;
      // Of a draw that is paid in pieces each player has its own with its piece; all others are paid once, with the end.
      if (place === PLAYER && row['paid_at'] != null)
        this.#move(['table', given(draw.row, 'game_id')], ['commission', earner], amount);
      else draw.earned.set(earner, (draw.earned.get(earner) ?? 0n) + amount);
    }
  }

  #keepWin(row: SealedRow): void {
    const [drawId, ticketId] = [given(row, 'draw_id'), given(row, 'ticket_id')];
    const draw = this.#draws.get(drawId);
    const ticket = draw?.tickets.get(ticketId);
    if (!draw || !ticket) return;
    const win = BigInt(given(row, 'win'));
    if (draw.wins.has(ticketId)) return this.#tellOf(drawId, [`the win of ticket ${ticketId} was sealed twice.`]);
    draw.wins.set(ticketId, win);
    const waits = this.#rows(draw.row).terms?.['manual_claims'] === 't';
    this.#move(['table', given(draw.row, 'game_id')], [waits ? 'winnings' : 'credit', ticket.account], win);
  }

  #keepTransfer(row: SealedRow): void {
    const amount = BigInt(given(row, 'amount'));
    for (const [side, signed] of [
      ['from', -amount],
      ['to', amount],
    ] as const) {
      const [wallet, version, balance] = [`${side}_wallet`, `${side}_version`, `${side}_balance`].map((column) =>
        given(row, column),
      );
      const isKnown = this.#wallets.tell(wallet!, {
        version: BigInt(version!),
        amount: signed,
        balance: BigInt(balance!),
      });
      if (!isKnown) this.#miss(`transfer ${given(row, 'id')} is of wallet ${wallet}, of which there is no record.`);
    }
  }

  #move(...[from, to, amount]: Parameters<WalletsOfNetwork['move']>): void {
    if (!this.#wallets.move(from, to, amount))
      this.#miss(`there is no record of the wallet ${from.join(' of ')} or ${to.join(' of ')}.`);
  }

  #miss(problem: string): void {
    this.#misses.push(problem);
  }

  #judgeDraw(id: string): void {
    const draw = this.#draws.get(id)!;
    const status = given(draw.row, 'status');
    const isCleared = draw.row['tickets_cleared'] === 't';
    if (draw.row['seed'] != null && status !== 'void') {
      const wrong = judgeResult(this.#rows(draw.row));
      if (wrong) this.#counts.results++;
      else this.#counts.unjudgedDraws++;
      this.#tellOf(id, wrong ?? []);
    }
    if (status !== 'open' && !isCleared && !this.#isPartial && !draw.isClosed && !this.#finished.has(id)) {
      draw.isClosed = true;
      this.#counts.closes++;
      this.#tellOf(id, judgeTickets(draw.row, [...draw.tickets.values()]));
    }
    // A draw without tickets has no settlement.
    if (status === 'void' || (status === 'settled' && draw.tickets.size === 0)) this.#finish(id, draw);
  }

  /** A draw was settled: what each ticket won, and each player staked and won, follows from its tickets and its result. */
  #endDraw(id: string): void {
    const draw = this.#draws.get(id);
    if (!draw) return;
    const game = given(draw.row, 'game_id');
    for (const [earner, amount] of draw.earned) this.#move(['table', game], ['commission', earner], amount);
    const tickets = [...draw.tickets.values()];
    const due = winsBy(this.#rows(draw.row), tickets);
    if (!due || this.#isPartial || draw.row['tickets_cleared'] === 't') this.#counts.unjudgedDraws++;
    else {
      this.#counts.settlements++;
      this.#tellOf(id, problemsOfSettlement(draw, tickets, due));
    }
    this.#finish(id, draw);
  }

  #finish(id: string, { row }: OpenDraw): void {
    this.#finished.set(id, markOf(row));
    this.#draws.delete(id);
    this.#kept.forget(id);
  }

  #judgeCommissions(row: SealedRow): void {
    const [account, stake] = [given(row, 'account_id'), BigInt(given(row, 'stake'))];
    const chain = this.#shared.accounts.get(account)?.chain ?? [];
    for (const [column, place] of EARNING) {
      const percentages = this.#shared.accounts.get(chain[place] ?? '')?.percentages;
      // What a percentage was before the log began is not in it.
      if (!percentages || this.#look === this.#firstLook) this.#counts.unjudgedCommissions++;
      else if (![...percentages].some((percent) => isEarned(BigInt(given(row, column)), stake * BigInt(percent))))
        this.#tellOf(given(row, 'draw_id'), [
          `player ${account} staked ${stake} hundredths, of which ${chain[place]} has ${given(row, column)}: by none of its percentages.`,
        ]);
    }
  }

  #tellOf(drawId: string, problems: readonly string[]): void {
    this.#problems.push(...problems.map((problem) => `draw ${drawId}: ${problem}`));
  }
}

/** True if a commission is what a stake earned exactly, with less than a hundredth carried before or after it. */
function isEarned(commission: bigint, exact: bigint): boolean {
  const apart = commission * COMMISSION_PARTS - exact;
  return apart < COMMISSION_PARTS && -apart < COMMISSION_PARTS;
}

function problemsOfSettlement(
  draw: OpenDraw,
  tickets: readonly KnownTicket[],
  due: ReadonlyMap<string, bigint>,
): string[] {
  const problems: string[] = [];
  const players = new Map<string, { stake: bigint; win: bigint }>();
  for (const { id, account, stake } of tickets) {
    const [win, written] = [due.get(id)!, draw.wins.get(id) ?? 0n];
    if (win !== written) problems.push(`ticket ${id} wins ${win} hundredths; it was given ${written}.`);
    const sums = players.get(account) ?? { stake: 0n, win: 0n };
    players.set(account, { stake: sums.stake + stake, win: sums.win + win });
  }
  for (const account of new Set([...players.keys(), ...draw.settled.keys()])) {
    const [sums, settled] = [players.get(account), draw.settled.get(account)];
    if (sums?.stake !== settled?.stake || sums?.win !== settled?.win)
      problems.push(
        `player ${account} has stakes of ${sums?.stake ?? 0n} hundredths and wins of ${sums?.win ?? 0n}; the settlement says ${settled?.stake ?? 'nothing'} and ${settled?.win ?? 'nothing'}.`,
      );
  }
  return problems;
}
