import {
  CLEARED_DRAWS,
  CLEARED_PERIODS,
  Clearings,
  type ClearedPeriod,
} from '@drawhouse/rules/records/cleared-records';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { SEALED_RECORDS } from '@drawhouse/rules/records/sealed-records';
import { parseBundle, TILE_WIDTH, tileOfTree } from '@drawhouse/tlog/tiles';
import { readRecord, unescapeField, valueOf, type ReadRecord } from '@drawhouse/tlog/node/record-entries';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { nameRow } from '../read/index-sealed-log.ts';
import type { RowProblem } from './compare-sealed-rows.ts';
import { SEEN, type Removals, type RecordIndex } from '../read/record-index.ts';
import { readableTile, type LogToRead } from '../read/read-bundle.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export interface MissingRows {
  readonly log: LogToRead;
  readonly index: RecordIndex;
  readonly removals: Removals;
  readonly readTo: number;
}

/** Leaves out networks that came back from another cell: their earlier rows went with them. */
type MissingWithNetworks = MissingRows & { readonly neverRemoved: ReadonlySet<string> };

/** Reports unexplained missing rows. Returns the number cleared. */
export async function explainMissingRows(on: Copier, unseen: MissingRows, problem: RowProblem): Promise<number> {
  const periods = await on.query<ClearedPeriod>(
    sql`${sql.raw(CLEARED_PERIODS)} ${sql.raw(crossNetworkComment('seals'))}`,
  );
  const live = await on.query<{ id: string }>(
    sql`select id::text as id from networks except select detail -> 'departed' ->> 'networkId' from activity
      where network_id = ${ROOT_NETWORK} and detail ? 'departed' ${sql.raw(crossNetworkComment('seals'))}`,
  );
  const missing = { ...unseen, neverRemoved: new Set(live.map(({ id }) => id)) };
  const draws = await on.query<{ draw: string }>(
    sql`${sql.raw(CLEARED_DRAWS)} ${sql.raw(crossNetworkComment('seals'))}`,
  );
  const explained = new RemovalExplainer(missing, new Clearings(periods, draws));
  const { log, index, readTo } = unseen;
  for (let first = 0; first < readTo; first += TILE_WIDTH) {
    const places = placesUnseen(index, first, Math.min(first + TILE_WIDTH, readTo));
    if (places.length === 0) continue;
    const bundle = readableTile(log, tileOfTree(log.size, 'entries', first / TILE_WIDTH)!);
    const entries = bundle ? parseBundle(bundle) : [];
    for (const place of places) {
      const entry = entries[place - first];
      if (!entry) continue;
      const record = readRecord(entry);
      if (!explained.isExplained(place, record)) problem(removedAs(nameRow(record.table, record.fields), place), place);
    }
  }
  for (const { name, place } of await explained.withTicket(on)) problem(removedAs(name, place), place);
  for (const text of explained.tooMany()) problem(text, -1);
  return explained.cleared;
}

function removedAs(name: string, place: number): string {
  return `${name} was removed after it was sealed, as record ${place}`;
}

function placesUnseen(index: RecordIndex, from: number, until: number): number[] {
  const places: number[] = [];
  for (let place = from; place < until; place++) if (index.seen(place) === SEEN.unseen) places.push(place);
  return places;
}

/** Cleared with its ticket, such as a claim. */
interface TicketDependent {
  readonly network: string;
  readonly ticket: string;
  readonly name: string;
  readonly place: number;
}

class RemovalExplainer {
  cleared = 0;
  readonly #unseen: MissingWithNetworks;
  readonly #clearings: Clearings;
  readonly #withTickets: TicketDependent[] = [];
  readonly #counts = { activity: new Map<string, number>(), draws: new Map<string, number>() };

  constructor(unseen: MissingWithNetworks, clearings: Clearings) {
    this.#unseen = unseen;
    this.#clearings = clearings;
  }

  isExplained(place: number, record: ReadRecord): boolean {
    const { table, fields } = record;
    const { key, row } = SEALED_RECORDS[table]!;
    const { removals } = this.#unseen;
    if (row === 'forgotten') return true;
    const named = fields.slice(0, key.length).map(unescapeField);
    if (removals.isAfter(place, table, named.join('\t'))) return true;
    if (key[0] !== 'network_id') return false;
    if (!this.#unseen.neverRemoved.has(named[0]!) && removals.isAfter(place, 'networks', named[0]!)) return true;
    if (!this.#isCleared(place, record)) return false;
    this.cleared++;
    if (table === 'activity' || table === 'draws') {
      const counts = this.#counts[table];
      counts.set(fields[0]!, (counts.get(fields[0]!) ?? 0) + 1);
    }
    return true;
  }

  #isCleared(place: number, record: ReadRecord): boolean {
    const { table, fields, isHashed } = record;
    const value = isHashed ? undefined : (column: string): string | null => valueOf(record, column);
    // While sealing stalls, a draw may end and be cleared, so its last record is still open. `tooMany` limits these.
    const taken = this.#clearings.mayHaveTaken(fields[0]!, table, value);
    if (typeof taken === 'boolean') return taken;
    this.#withTickets.push({ network: fields[0]!, ticket: taken.ticketId, name: nameRow(table, fields), place });
    return true;
  }

  /**
   * Returns records whose ticket still exists, so clearing does not explain them. For a missing ticket, its batch
   * decides.
   */
  async withTicket(on: Copier): Promise<readonly TicketDependent[]> {
    const some = this.#withTickets;
    const rows = await on.query<{ nth: number }>(
      sql`select gone.nth::int as nth
        from unnest(${some.map(({ network }) => network)}::text[]::int[], ${some.map(({ ticket }) => ticket)}::text[]::uuid[])
        with ordinality as gone (network_id, id, nth)
       join tickets using (network_id, id) ${sql.raw(crossNetworkComment('seals'))}`,
    );
    this.cleared -= rows.length;
    return rows.map(({ nth }) => some[nth - 1]!);
  }

  /** Networks that lost more than was cleared. */
  tooMany(): string[] {
    const found: string[] = [];
    for (const [network, periods] of this.#clearings.periods) {
      const rows = periods.reduce((sum, { log_rows }) => sum + log_rows, 0);
      const draws = periods.reduce((sum, { model, rows: removed }) => sum + (model === 'draw' ? removed : 0), 0);
      const cleared = { rows: this.#counts.activity.get(network) ?? 0, draws: this.#counts.draws.get(network) ?? 0 };
      if (cleared.rows > rows)
        found.push(`${cleared.rows} sealed log rows of network ${network} are gone, but ${rows} were cleared`);
      if (cleared.draws > draws)
        found.push(`${cleared.draws} sealed draws of network ${network} are gone, but ${draws} were cleared`);
    }
    return found;
  }
}
