import { join } from 'node:path';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { SealGrade } from '@drawhouse/contract/seals/seals';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import type { Queryable } from '../db/database.ts';
import type { Witness } from '../seal-settings.ts';
import type { SealsPlace } from './begin-log.ts';
import { originOf } from '@drawhouse/tlog/log-origins';
import { readCosigned } from './witnesses.ts';
import type { Cosigned } from './witnesses.ts';

const SECOND_MS = 1_000;

/** What the grade of the seals is found from. */
export interface GradedSeals {
  readonly place: Pick<SealsPlace, 'dir' | 'name'>;
  readonly witnesses: readonly Witness[];
  /** How many records of the newest log a witness that is not silent has cosigned. */
  readonly sizeToBeWitnessed: () => number;
  /** What stands in the way of sealing. */
  readonly trouble: () => string | undefined;
}

/** By whom the seals are vouched for; null where nothing was sealed yet. */
export async function readGrade(db: Queryable, seals: GradedSeals): Promise<SealGrade | null> {
  const { place, witnesses } = seals;
  const [row] = await db.query<{ origin: number; at: Date; checkpoint: string; since: Date }>(
    `select origin, at, checkpoint, (select min(began_at) from seal_progress) as since from seal_progress
     where checkpoint <> '' order by origin desc limit 1`,
    [],
    'seal-grade',
  );
  if (!row) return null;
  const cosigned = await readCosigned(join(place.dir, String(row.origin)), witnesses);
  return {
    name: place.name,
    origin: originOf(place.name, row.origin),
    checkpoint: row.checkpoint,
    size: parseCheckpoint(parseNote(row.checkpoint).text).size,
    sealedAt: row.at.toISOString(),
    since: row.since.toISOString(),
    isStopped: seals.trouble() !== undefined,
    witnesses: witnesses.map(({ key }) =>
      standingOf(
        key.name,
        cosigned.find(({ keyId }) => keyId === key.id),
        seals.sizeToBeWitnessed(),
      ),
    ),
  };
}

function standingOf(name: string, cosigned: Cosigned | undefined, wanted: number): SealGrade['witnesses'][number] {
  const isSilent = (cosigned?.size ?? 0) < wanted;
  if (!cosigned) return { name, since: null, last: null, size: null, isSilent };
  const { since, time, size } = cosigned;
  return { name, since: timeOf(since), last: timeOf(time), size, isSilent };
}

/** Seconds of Unix time as the contract has times. */
function timeOf(seconds: number): string {
  return new Date(seconds * SECOND_MS).toISOString();
}

/** What the superadmin ought to know of who vouches for the seals: that nobody else does, and who has stopped. */
export function noticesOf(grade: SealGrade | null): FoundNotice[] {
  if (!grade) return [];
  const isSealedAlone = !grade.witnesses.some(({ last, isSilent }) => last !== null && !isSilent);
  const silent = grade.witnesses.filter(({ isSilent }) => isSilent);
  const latest = silent.reduce<string | null>((last, one) => ((one.last ?? '') > (last ?? '') ? one.last : last), null);
  const names = silent.map(({ name }) => name).join(', ');
  return [
    ...(isSealedAlone ? [{ code: 'SEALED_BY_ITSELF' } as const] : []),
    ...(silent.length > 0
      ? [{ code: 'WITNESS_SILENT', detail: `No new cosignature of ${names}.`, last: latest } as const]
      : []),
  ];
}
