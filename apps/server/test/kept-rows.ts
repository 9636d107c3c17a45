import type { Queryable } from '../src/db/database.ts';

/** What keepers and drand would have given to the draws of a network, and what would have been noted of them. */
export async function keepParts(on: Queryable, networkId: number): Promise<void> {
  const ofDraws = 'from draws where network_id = $1';
  for (const sql of [
    `insert into keeper_roots (network_id, keeper, day, size, root, signature, name) values ($1, sha256('k'), '2026-03-10', 1, sha256('r'), sha256('s') || sha256('s'), 'keeper')`,
    `insert into draw_keepers (network_id, draw_id, place, keeper, day, index, closes_at, commitment, path) select network_id, id, 0, '\\x01', closes_at::date, 0, closes_at, sha256('x'), '' ${ofDraws}`,
    `insert into draw_beacons (network_id, draw_id, round, closes_at) select network_id, id, 1, closes_at ${ofDraws}`,
    `insert into keeper_evidence (network_id, draw_id, place, at, reason, question, answer) select network_id, id, 0, closes_at, 'x', '{}', 'x' ${ofDraws}`,
    `insert into knowable_draws (network_id, draw_id, noted_at, booster, result, result_label) select network_id, id, closes_at, 1, '1', '1' ${ofDraws}`,
  ])
    await on.query(sql, [networkId]);
}
