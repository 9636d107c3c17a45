import { randomInt } from 'node:crypto';
import { beaconName, roundOfDraw, roundTimeMs, type Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import { isRoundSignature } from '@drawhouse/rules/fair/beacon-signature';
import { Findings, readPages, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Each verification takes about 20 ms. */
const SAMPLE = 200;

interface BeaconDraw {
  readonly id: string;
  readonly network_id: number;
  readonly closes_at: Date;
  readonly closed_at: Date | null;
  readonly root_sealed_at: Date | null;
  readonly source: 'declared' | 'generated' | null;
  readonly status: string;
  readonly beacons: readonly Beacon[];
  readonly beacon_signatures: readonly (Buffer | null)[] | null;
}

/**
 * Values must be complete, equal across draws of one round and, for a sample, signed. Seed and seal checks cover
 * results and later changes.
 */
export async function auditBeacons(db: Queryable): Promise<Check> {
  const found = new Findings();
  const values = new Map<string, string>();
  const sample: {
    readonly beacon: Beacon;
    readonly round: number;
    readonly signature: string;
    readonly name: string;
  }[] = [];
  let rows = 0;
  const pages = readPages<BeaconDraw>(
    db,
    sql`select d.network_id, d.id, d.closes_at, d.closed_at, d.root_sealed_at, d.source::text, d.status::text, terms.beacons,
      d.beacon_signatures
     from draws d join draw_terms terms on terms.id = d.terms_id and terms.beacons is not null`,
  );
  for await (const page of pages)
    for (const draw of page) {
      rows++;
      const name = `draw ${draw.id} of network ${draw.network_id}`;
      if (draw.beacon_signatures?.length !== draw.beacons.length) {
        found.add(`${name} has ${draw.beacon_signatures?.length ?? 0} values of ${draw.beacons.length} beacons`);
        continue;
      }
      for (const [place, beacon] of draw.beacons.entries()) {
        const round = roundOfDraw(beacon, draw.closes_at.getTime());
        const isFixed = [draw.closed_at, draw.root_sealed_at].every(
          (at) => at && at.getTime() < roundTimeMs(beacon, round),
        );
        if (draw.source === 'generated' && draw.status !== 'void' && !isFixed)
          found.add(`${name} was not sealed before round ${round} of ${beaconName(beacon)} could be known`);
        const signature = draw.beacon_signatures[place]?.toString('hex');
        if (signature === undefined) continue;
        const key = `${beacon.publicKey} ${round}`;
        const other = values.get(key);
        if (other !== undefined && other !== signature)
          found.add(`${name} has a different value of round ${round} of ${beaconName(beacon)} than an earlier draw`);
        if (other !== undefined) continue;
        values.set(key, signature);
        const at = sample.length < SAMPLE ? sample.length : randomInt(values.size);
        if (at < SAMPLE) sample[at] = { beacon, round, signature, name };
      }
    }
  for (const { beacon, round, signature, name } of sample)
    if (!isRoundSignature(beacon.publicKey, round, signature))
      found.add(`${name} has a value of round ${round} not signed by ${beaconName(beacon)}`);
  return { name: `beacon values agree, and a sample of ${SAMPLE} is signed`, rows, problems: found.problems };
}
