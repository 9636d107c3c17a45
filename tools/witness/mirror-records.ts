import { SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import { TILE_WIDTH } from '@drawhouse/tlog/tile-paths';
import { UNLOGGED } from '@drawhouse/rules/unlogged-changes';
import { ClearedBundles } from './mirror-cleared.ts';
import type { MirrorReader } from './mirror-log.ts';
import { NetworkRecords } from './mirror-network.ts';
import type { SharedRecords } from './mirror-network.ts';
import { given, membersOf, readEntry } from './sealed-entry.ts';
import type { SealedRow } from './sealed-entry.ts';

/** So many problems are told; more say nothing new. */
const MOST_PROBLEMS = 20;
const TABLES = Object.keys(SEALED_TABLES);

/** What reads the records, and what they come to. */
export type MirrorRecords = MirrorReader & {
  /** The balance of each wallet of a network in the n-th log, in hundredths, by its number; undefined where they can't be recomputed. */
  readonly balances: (nth: number, networkId: string) => ReadonlyMap<string, bigint> | undefined;
};

/** Recomputes, log by log, what the product's rules make of the records: results, tickets, settlements and wallets (docs/manual/witness.md). */
export function mirrorRecords(): MirrorRecords {
  const logs = new Map<number, RecordsOfLog>();
  const of = (nth: number): RecordsOfLog => {
    const known = logs.get(nth) ?? new RecordsOfLog(nth);
    logs.set(nth, known);
    return known;
  };
  return {
    begin: (nth) => void logs.delete(nth),
    read: (nth, entries, leaves) => of(nth).read(entries, leaves),
    judge: ({ nth }) => of(nth).judge(),
    balances: (nth, networkId) => of(nth).balances(networkId),
  };
}

/** What was recomputed of one log. Each look of the server puts its rows into the log table by table, in one order: where that begins again, the next look does. */
class RecordsOfLog {
  readonly #shared: SharedRecords = { games: new Map(), terms: new Map(), accounts: new Map() };
  readonly #networks = new Map<string, NetworkRecords>();
  readonly #problems: string[] = [];
  /** Restores and moves that there was a record of: a network that comes again has all of its own sealed once more. */
  readonly #arrivals = new Set<string>();
  /** Networks whose records begin in this look, and what tells why. */
  readonly #begun = new Map<string, { readonly admin: string; readonly from: number; by?: string }>();
  readonly #news: string[] = [];
  /** The number of the record that is read. */
  #at = 0;
  #place = -1;
  #looks = 0;
  #unread = 0;
  #unlogged = 0;
  #isPartial = false;
  readonly #cleared: ClearedBundles;

  constructor(nth: number) {
    this.#cleared = new ClearedBundles(nth);
  }

  read(entries: readonly Uint8Array[] | undefined, leaves: readonly Uint8Array[] = []): void {
    if (!entries) {
      this.#cleared.miss(this.#at, leaves);
      this.#losePart('were cleared before they were fetched', TILE_WIDTH);
      this.#at += TILE_WIDTH;
      return;
    }
    for (const entry of entries) {
      this.#take(entry);
      this.#at++;
    }
  }

  judge(): ReturnType<MirrorReader['judge']> {
    this.#endLook();
    for (const problem of this.#cleared.judge()) this.#tell(problem);
    return { problems: this.#problems, news: this.#news.splice(0), summary: this.#summary() };
  }

  balances(networkId: string): ReadonlyMap<string, bigint> | undefined {
    return this.#networks.get(networkId)?.balances();
  }

  #take(entry: Uint8Array): void {
    const { table, row } = readEntry(entry);
    const place = TABLES.indexOf(table);
    if (place >= 0 && place < this.#place) this.#endLook();
    this.#place = Math.max(place, this.#place);
    if (!row) {
      // What a log begins with that is not the first, and what has another form than is known here.
      if (table === UNLOGGED) this.#unlogged++;
      else if (table !== 'origins' && !this.#cleared.take(table, entry)) this.#miss(table);
      return;
    }
    try {
      this.#keep(table, row);
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
      this.#tell(`A record of ${table} can't be read: ${error.message}`);
    }
  }

  #miss(table: string): void {
    this.#unread++;
    if (TABLES.includes(table)) this.#losePart(`of ${table} has a form that is not known here`);
  }

  #losePart(why: string, count = 1): void {
    const which = count === 1 ? `The record ${this.#at}` : `The records ${this.#at} to ${this.#at + count - 1}`;
    if (!this.#isPartial)
      this.#news.push(
        `${which} ${why}: of no network are wallets, lists of tickets and settlements judged from there on.`,
      );
    this.#isPartial = true;
    for (const network of this.#networks.values()) network.losePart();
  }

  #keep(table: string, row: SealedRow): void {
    if (table === 'games') this.#shared.games.set(given(row, 'id'), row);
    else if (table === 'draw_terms') this.#shared.terms.set(given(row, 'id'), row);
    else if (table === 'accounts') this.#keepAccount(row);
    else if (table === 'networks') this.#keepNetwork(given(row, 'id'), given(row, 'admin_id'));
    else if (row['network_id'] != null) {
      this.#of(row['network_id']).keep(table, row);
      if (table === 'restores' || table === 'moves') this.#arrive(table, given(row, 'id'), row['network_id']);
    }
  }

  #arrive(table: string, id: string, networkId: string): void {
    const begun = this.#begun.get(networkId);
    if (begun && !this.#arrivals.has(id)) begun.by = table;
    this.#arrivals.add(id);
  }

  /** A network that is new, or took the place of another: all of it is sealed again. */
  #keepNetwork(id: string, admin: string): void {
    if (this.#looks > 0) this.#begun.set(id, { admin, from: this.#at });
    const begun = this.#begin();
    // What a restore put back has a past of its own.
    if (this.#networks.has(id)) begun.lose();
    this.#networks.set(id, begun);
  }

  #keepAccount(row: SealedRow): void {
    const id = given(row, 'id');
    const known = this.#shared.accounts.get(id);
    const percentages = known?.percentages ?? new Set();
    if (row['commission'] != null) percentages.add(row['commission']);
    this.#shared.accounts.set(id, { chain: membersOf(given(row, 'chain')), percentages });
  }

  #of(id: string): NetworkRecords {
    const known = this.#networks.get(id) ?? this.#begin();
    this.#networks.set(id, known);
    return known;
  }

  #begin(): NetworkRecords {
    const begun = new NetworkRecords(this.#shared, this.#looks);
    if (this.#isPartial) begun.losePart();
    return begun;
  }

  #endLook(): void {
    for (const [id, network] of this.#networks)
      for (const problem of network.endLook(this.#looks)) this.#tell(`Network ${id}: ${problem}`);
    this.#tellOfBegun();
    this.#place = -1;
    this.#looks++;
  }

  /** Of networks that are sealed anew, what was there before may be gone: their wallets are not judged any more, and a person is to know of which. */
  #tellOfBegun(): void {
    for (const [id, { admin, from, by }] of this.#begun) {
      if (this.#isPartial || this.balances(id) !== undefined) continue;
      const why = by ? `A record of ${by} came with it.` : 'No record of a restore or a move came with it: ask why.';
      this.#news.push(
        `Network ${id} of the admin ${admin} is sealed anew from record ${from} on, and its wallets are judged no more. ${why}`,
      );
    }
    this.#begun.clear();
  }

  #tell(problem: string): void {
    if (this.#problems.length < MOST_PROBLEMS && !this.#problems.includes(problem)) this.#problems.push(problem);
  }

  #summary(): string {
    const sums = [...this.#networks.values()].map((network) => network.counts());
    const sum = (count: (one: (typeof sums)[number]) => number): number =>
      sums.reduce((all, one) => all + count(one), 0);
    const left = [
      [
        sum((one) => one.lost),
        'networks whose wallets are not, as some of their history was cleared, restored or moved before',
      ],
      [
        sum((one) => one.unjudgedDraws),
        'draws by rules that this program does not know, or of whose keepers a record is missing',
      ],
      [sum((one) => one.lateDraws), 'openings of draws that were sealed only once betting had closed'],
      [sum((one) => one.unjudgedCommissions), 'commissions of before the log began, or of accounts that are not in it'],
      [sum((one) => one.unjudgedBalances), 'balances amid what was sealed together'],
      [this.#unread, 'records of another form'],
      [this.#cleared.count, 'stretches of 256 records that were cleared'],
    ] as const;
    const unlogged = this.#unlogged > 0 ? ` Changed past the log of the server: ${this.#unlogged} times.` : '';
    const without = left.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    return `Recomputed: ${sum((one) => one.wallets)} wallets with ${sum((one) => one.balances)} balances, ${sum((one) => one.results)} results, ${sum((one) => one.closes)} lists of tickets, ${sum((one) => one.settlements)} settlements.${without.length > 0 ? ` Not judged: ${without.join('; ')}.` : ''}${unlogged}`;
  }
}
