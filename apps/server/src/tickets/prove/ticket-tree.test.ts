import { inclusionPath, rootByPath, treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../../platform/db/database.ts';
import { readTicketTrees, findInOnePart, findTicketProof, PART_TICKETS, ROOT_OF_NONE } from './ticket-tree.ts';
import { TestApp } from '../../../test/harness.ts';

let t: TestApp;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

const hex = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('hex');
const uuid = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

interface StoredTicket {
  network_id: number;
  draw_id: string;
  id: string;
  digest: Buffer;
}

async function withTickets(sizes: readonly number[], test: (tx: Tx, tickets: StoredTicket[]) => Promise<void>) {
  await t.db.transaction(async (tx) => {
    await tx.query(
      `create temporary table tickets on commit drop as
       select n as network_id, d.draw_id, gen_random_uuid() as id,
         sha256(convert_to(format('%s %s %s', n, d.draw_id, i), 'UTF8')) as digest,
              '2026-01-31T18:00:00Z'::timestamptz + i * interval '1 ms' as placed_at
       from generate_series(1, 2) as n, unnest($1::uuid[], $2::int[]) as d (draw_id, size), generate_series(1, d.size) as i
       order by random()`,
      [sizes.map((_, draw) => uuid(draw)), sizes],
    );
    await test(tx, await tx.query<StoredTicket>('select network_id, draw_id, id, digest from tickets order by id'));
  });
}

const BIG = 2 * PART_TICKETS + 3;
const SIZES = [0, 1, 2, 3, 7, 100, PART_TICKETS - 1, PART_TICKETS, PART_TICKETS + 1, BIG];

it("matches the rules' tree for many draws at once", async () => {
  await withTickets(SIZES, async (tx, tickets) => {
    const trees = await readTicketTrees(
      tx,
      2,
      SIZES.map((_, draw) => uuid(draw)),
    );
    for (const [draw, size] of SIZES.entries()) {
      const own = tickets.filter(({ network_id, draw_id }) => network_id === 2 && draw_id === uuid(draw));
      const tree = trees.get(uuid(draw))!;
      expect([size, hex(tree.root)]).toEqual([size, hex(treeRoot(own.map(({ digest }) => digest)))]);
      expect(tree.count).toBe(size);
      expect(tree.latest?.getTime()).toBe(size === 0 ? undefined : Date.parse('2026-01-31T18:00:00Z') + size);
    }
    expect(hex(trees.get(uuid(0))!.root)).toBe(hex(ROOT_OF_NONE));
  });
});

it("has each ticket's path, in small draws and those of several parts", async () => {
  const sizes = [1, 2, 11, BIG];
  await withTickets(sizes, async (tx, tickets) => {
    for (const [number, size] of sizes.entries()) {
      const draw = { network_id: 1, id: uuid(number) };
      const own = tickets.filter(({ network_id, draw_id }) => network_id === 1 && draw_id === draw.id);
      const leaves = own.map(({ digest }) => digest);
      const { root, parts } = (await readTicketTrees(tx, 1, [draw.id])).get(draw.id)!;
      const edges = [0, 1, 2, 5, PART_TICKETS - 1, PART_TICKETS, BIG - 4, BIG - 3, BIG - 1];
      for (const index of edges.filter((edge) => edge < size)) {
        const { id, digest } = own[index]!;
        const proof = await findTicketProof(tx, draw, id, parts);
        expect(proof?.index).toBe(index);
        expect(proof?.path.map(hex)).toEqual(inclusionPath(leaves, index).map(hex));
        expect(hex(rootByPath({ leaf: digest, index, size, path: proof!.path }))).toBe(hex(root));
        if (size <= PART_TICKETS) expect(await findInOnePart(tx, draw, id)).toEqual(proof);
      }
      const foreign = tickets.find(({ draw_id }) => draw_id !== draw.id)!;
      expect(await findTicketProof(tx, draw, foreign.id, parts)).toBeUndefined();
    }
  });
});
