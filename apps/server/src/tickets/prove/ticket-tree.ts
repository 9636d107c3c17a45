import { pathAbove, rootAbove, NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import type { Queryable, Reader } from '../../platform/db/database.ts';
import { LEAVES, LEVEL_ABOVE, sql } from '../../platform/db/sql/sql.ts';
import { LRUCache } from 'lru-cache';
import { CallError } from '../../platform/http/http-errors.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

/** A power of two, so each part root is a tree node. Bounds PostgreSQL memory and reads per path. */
export const PART_TICKETS = 1024;
const UUID_BYTES = 16;

export interface DrawKey {
  readonly network_id: number;
  readonly id: string;
  readonly isUndone?: boolean;
}

const tableOf = ({ isUndone = false }: Pick<DrawKey, 'isUndone'>): string => (isUndone ? 'undone_tickets' : 'tickets');

/** Merkle tree (RFC 6962) over ticket digests in id order; see docs/fairness.md. */
export interface TicketTree {
  readonly root: Buffer;
  readonly count: number;
  readonly latest: Date | null;
  readonly parts: TreeParts;
}

/** {@link PART_TICKETS} leaves each, fewer in the last. 48 KB per million tickets. */
export interface TreeParts {
  readonly firsts: Buffer;
  readonly roots: Buffer;
}

/**
 * Keyed by draw id, including empty draws. Per million tickets: about two seconds and a few megabytes in PostgreSQL, 48
 * KB here.
 */
export async function readTicketTrees(
  on: Queryable,
  networkId: number,
  drawIds: readonly string[],
  of: Pick<DrawKey, 'isUndone'> = {},
): Promise<Map<string, TicketTree>> {
  const rows = await on.query<{ id: string; count: number; latest: Date } & TreeParts>(
    sql`with recursive placed as (
       select asked.which, t.id, t.digest, t.placed_at, row_number() over (partition by asked.which order by t.id) - 1 as index
       from unnest(${drawIds}::uuid[]) with ordinality as asked (draw_id, which)
       join ${sql.raw(tableOf(of))} t on t.network_id = ${networkId} and t.draw_id = asked.draw_id
     ), levels (which, part, count, latest, first, width, hashes) as (
       select which, index / ${sql.lit(PART_TICKETS)}, count(*)::int, max(placed_at),
              (array_agg(id) filter (where index % ${sql.lit(PART_TICKETS)} = 0))[1], count(*)::int, ${sql.raw(LEAVES)}
       from placed group by which, index / ${sql.lit(PART_TICKETS)}
       union all
       select which, part, count, latest, first, (width + 1) / 2, ${sql.raw(LEVEL_ABOVE)} from levels where width > 1
     )
     select (${drawIds}::uuid[])[which] as id, sum(count)::int as count, max(latest) as latest,
            string_agg(uuid_send(first), '' order by part) as firsts, string_agg(hashes, '' order by part) as roots
     from levels where width = 1 group by which`.named(of.isUndone ? 'ticket-trees-undone' : 'ticket-trees'),
  );
  const trees = new Map(drawIds.map((id) => [id, NO_TICKETS]));
  for (const { id, count, latest, firsts, roots } of rows)
    trees.set(id, { root: Buffer.from(rootAbove(nodesOf(roots))), count, latest, parts: { firsts, roots } });
  return trees;
}

/** SHA-256 of empty input. */
export const ROOT_OF_NONE: Buffer = Buffer.from(rootAbove([]));

const NO_TICKETS: TicketTree = {
  root: ROOT_OF_NONE,
  count: 0,
  latest: null,
  parts: { firsts: Buffer.alloc(0), roots: Buffer.alloc(0) },
};

function nodesOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / NODE_BYTES }, (_, index) =>
    bytes.subarray(index * NODE_BYTES, (index + 1) * NODE_BYTES),
  );
}

/** Zero-based leaf index and inclusion path, lowest node first. */
export interface TicketProof {
  readonly index: number;
  readonly path: readonly Buffer[];
}

export async function findTicketProof(
  on: Queryable,
  draw: DrawKey,
  ticketId: string,
  { firsts, roots }: TreeParts,
): Promise<TicketProof | undefined> {
  const part = partOf(firsts, ticketId);
  const first = firsts.toString('hex', part * UUID_BYTES, (part + 1) * UUID_BYTES);
  const inPart = await findInPart(on, draw, ticketId, roots.length > NODE_BYTES ? first : null);
  return (
    inPart && {
      index: part * PART_TICKETS + inPart.index,
      path: [...inPart.path, ...pathAbove(nodesOf(roots), part).map((node) => Buffer.from(node))],
    }
  );
}

export function findInOnePart(on: Queryable, draw: DrawKey, ticketId: string): Promise<TicketProof | undefined> {
  return findInPart(on, draw, ticketId, null);
}

function partOf(firsts: Buffer, ticketId: string): number {
  const id = Buffer.from(ticketId.replaceAll('-', ''), 'hex');
  let [part, above] = [0, firsts.length / UUID_BYTES];
  while (above - part > 1) {
    const middle = (part + above) >> 1;
    if (firsts.compare(id, 0, UUID_BYTES, middle * UUID_BYTES, (middle + 1) * UUID_BYTES) <= 0) part = middle;
    else above = middle;
  }
  return part;
}

/** `first`: first ticket id of the part; null for single-part draws. */
async function findInPart(
  on: Queryable,
  draw: DrawKey,
  ticketId: string,
  first: string | null,
): Promise<TicketProof | undefined> {
  // Without this bound, a limit makes PostgreSQL scan from the network's first ticket.
  const [found] = await on.query<{ index: bigint; path: Buffer }>(
    sql`with recursive placed as (
       select id, digest, row_number() over (order by id) - 1 as index from (
         select id, digest from ${sql.raw(tableOf(draw))} where network_id = ${draw.network_id} and draw_id = ${draw.id}
         ${first === null ? sql`` : sql`and id >= ${first}::uuid order by id limit ${sql.lit(PART_TICKETS)}`}) as part
     ), levels (level, width, hashes) as (
       select 0, count(*)::int, ${sql.raw(LEAVES)} from placed
       union all
       select level + 1, (width + 1) / 2, ${sql.raw(LEVEL_ABOVE)} from levels where width > 1
     )
     select index, (select coalesce(string_agg(substr(hashes, 32 * (index::int >> level # 1) + 1, 32), '' order by level), '')
                    from levels where index::int >> level # 1 < width) as path
     from placed where id = ${ticketId}`.named(
      `${first === null ? 'ticket-place' : 'ticket-place-in-part'}${draw.isUndone ? '-undone' : ''}`,
    ),
  );
  return found && { index: Number(found.index), path: nodesOf(found.path) };
}

/** Enough for 170 million tickets. */
const CACHE_BYTES = 8 * 1024 * 1024;
const MOST_WAIT = 50;

export interface TreePartsCache {
  /** Computes parts on a miss. */
  of(draw: DrawKey): Promise<TreeParts>;
}

/** Closed draws never change, so entries stay valid. One draw at a time on the patient pool bounds PostgreSQL load. */
export function createTreePartsCache(db: { readonly patient: Reader }): TreePartsCache {
  const cache = new LRUCache<string, TreeParts>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ firsts, roots }) => Math.max(1, firsts.length + roots.length),
  });
  const computing = new Map<string, Promise<TreeParts>>();
  let last: Promise<unknown> = Promise.resolve();

  function compute(draw: DrawKey): Promise<TreeParts> {
    if (computing.size >= MOST_WAIT)
      throw new CallError('NOT_READY', {
        message: TICKET_TEXTS.tooManyReceipts,
      });
    const result = last.then(async () => {
      const { parts } = (await readTicketTrees(db.patient, draw.network_id, [draw.id], draw)).get(draw.id)!;
      cache.set(keyOf(draw), parts);
      return parts;
    });
    computing.set(keyOf(draw), result);
    last = result.catch(() => {}).finally(() => computing.delete(keyOf(draw)));
    return result;
  }

  return {
    async of(draw) {
      const key = keyOf(draw);
      return cache.get(key) ?? computing.get(key) ?? compute(draw);
    },
  };
}

const keyOf = ({ id, isUndone }: DrawKey): string => (isUndone ? `${id} undone` : id);
