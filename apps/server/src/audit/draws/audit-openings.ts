import { GrowingTree, leafNode, batchOf, openingLeaf, type Opening } from '@drawhouse/rules/fair/tree/merkle';
import { Findings, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Draws opened together, with a Merkle tree over those found. */
interface Batch {
  readonly seq: bigint;
  readonly draws: number;
  readonly root: string;
  readonly tree: GrowingTree;
}

interface Waiting {
  readonly id: string;
  readonly node: Uint8Array;
}

const PAGE_ROWS = 10_000;
/** Reads this far ahead in the log, for clock differences. Larger ones resolve at the end. */
const APART_MS = 3_600_000;

/** Reads draws and log in parallel pages. */
export async function auditOpenings(db: Queryable): Promise<Check> {
  const found = new Findings();
  let rows = 0;
  for (const { id } of await db.query<{ id: number }>(sql`select id from networks order by id`)) {
    const audited = new AuditedNetwork(db, id, found);
    for await (const draw of drawsOf(db, id)) {
      rows++;
      await audited.add(draw);
    }
    await audited.end();
  }
  return { name: 'every draw opened as logged', rows, problems: found.problems };
}

class AuditedNetwork {
  readonly #networkId: number;
  readonly #found: Findings;
  readonly #rows: AsyncGenerator<OpeningRow>;
  /** Batches with missing draws, by id suffix. */
  readonly #batches = new Map<string, Batch>();
  /** Draws without log row, by id. Rows come late after a clock correction. */
  readonly #waiting = new Map<string, Waiting[]>();
  #lastMs = -Infinity;

  constructor(db: Queryable, networkId: number, found: Findings) {
    this.#networkId = networkId;
    this.#found = found;
    this.#rows = openingRows(db, networkId);
  }

  async add(draw: Opening): Promise<void> {
    const [ending, idMs] = [batchOf(draw.id), timeOfId(draw.id).getTime()];
    while (!this.#batches.has(ending) && this.#lastMs <= idMs + APART_MS && (await this.#read()));
    const batch = this.#batches.get(ending);
    const before = this.#waiting.get(ending);
    const node = leafNode(leafOf(draw));
    if (before) before.push({ id: draw.id, node });
    else if (batch) this.#join(draw.id, batch, node);
    else this.#waiting.set(ending, [{ id: draw.id, node }]);
  }

  async end(): Promise<void> {
    while (await this.#read());
    for (const [ending, draws] of this.#waiting)
      for (const { id, node } of draws) {
        const batch = this.#batches.get(ending);
        if (batch) this.#join(id, batch, node);
        else this.#found.add(`draw ${id} of network ${this.#networkId}: no log row says that it opened`);
      }
    for (const batch of this.#batches.values())
      this.#found.add(`${this.#describe(batch)}; missing: ${batch.draws - batch.tree.size}`);
  }

  #join(id: string, batch: Batch, node: Uint8Array): void {
    batch.tree.addNode(node);
    if (batch.tree.size < batch.draws) return;
    this.#batches.delete(batchOf(id));
    if (Buffer.from(batch.tree.root()).toString('hex') !== batch.root)
      this.#found.add(`${this.#describe(batch)}, the last of them ${id}; their opening records were changed`);
  }

  #describe({ seq, draws }: Batch): string {
    return `row ${seq} of the log of network ${this.#networkId} lists ${draws} draws that opened together`;
  }

  async #read(): Promise<boolean> {
    const { value, done } = await this.#rows.next();
    if (done === true) {
      this.#lastMs = Infinity;
      return false;
    }
    const { id, seq, batch, draws, root } = value;
    this.#lastMs = timeOfId(id).getTime();
    this.#batches.set(String(batch), { seq, draws: Number(draws), root: String(root), tree: new GrowingTree() });
    return true;
  }
}

const UNREADABLE = new Uint8Array();

function leafOf(draw: Opening): Uint8Array {
  try {
    return openingLeaf(draw);
  } catch {
    return UNREADABLE;
  }
}

interface OpeningRow {
  readonly id: string;
  readonly seq: bigint;
  readonly batch: unknown;
  readonly draws: unknown;
  readonly root: unknown;
}

async function* openingRows(db: Queryable, networkId: number): AsyncGenerator<OpeningRow> {
  for (let after = 0n; ;) {
    const page = await db.query<OpeningRow>(
      sql`select id, seq, detail -> 'opened' -> 'batch' as batch, detail -> 'opened' -> 'draws' as draws,
        detail -> 'opened' -> 'root' as root
       from activity where network_id = ${networkId} and seq > ${after} and account_id is null and detail ? 'opened' order by seq
         limit ${sql.lit(PAGE_ROWS)}`,
    );
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = last.seq;
  }
}

async function* drawsOf(db: Queryable, networkId: number): AsyncGenerator<Opening> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await db.query<Opening>(
      sql`select d.id, coalesce(g.game_key, '') as game_key, d.opens_at, d.closes_at, d.draws_at, d.commitment, d.terms_id
       from draws d left join games g on g.id = d.game_id where d.network_id = ${networkId} and d.id > ${after} order by d.id
         limit ${sql.lit(PAGE_ROWS)}`,
    );
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = last.id;
  }
}
