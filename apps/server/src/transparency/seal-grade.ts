import { join } from 'node:path';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { SealGrade } from '@drawhouse/contract/seals/seals';
import type { Queryable } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import type { Witness } from '../seal-settings.ts';
import type { SealsPlace } from './begin-log.ts';
import { ownCheckpoint } from './seal-news.ts';
import type { OwnCheckpoint } from './seal-news.ts';
import { readCosigned } from './co-sign.ts';
import type { Cosigned } from './co-sign.ts';

const SECOND_MS = 1_000;

/** What the grade of the seals is found from. */
export interface GradedSeals {
  readonly place: SealsPlace;
  readonly witnesses: readonly Witness[];
  /** The newest checkpoint that this server knows of, signed by the key of the seals; undefined before the first. */
  readonly newest: () => string | undefined;
  /** How many records of the newest log a witness that is not silent has cosigned. */
  readonly sizeToBeWitnessed: () => number;
  /** What stands in the way of sealing. */
  readonly trouble: () => string | undefined;
}

/** What the database keeps of the newest log. */
async function readKept(db: Queryable): Promise<Kept | undefined> {
  const [row] = await db.query<Kept>(
    `select origin, at, checkpoint, (select min(began_at) from seal_progress) as since from seal_progress
     order by origin desc limit 1`,
    [],
    'seal-grade',
  );
  return row;
}

type Kept = { readonly origin: number; readonly at: Date; readonly checkpoint: string; readonly since: Date };

/** A signed note as what it says, where the key of the seals has signed it. */
function ownIn({ place }: Pick<GradedSeals, 'place'>, note: string | undefined): OwnCheckpoint | undefined {
  return note === undefined ? undefined : ownCheckpoint(note, place.signer.publicKey);
}

/**
 * By whom the seals are vouched for; null where nothing was sealed yet. What the database keeps as their checkpoint counts where nothing newer is known, and their key has
 * signed it.
 */
export async function readGrade(db: Queryable, seals: GradedSeals): Promise<SealGrade | null> {
  const { place, witnesses } = seals;
  const row = await readKept(db);
  const note = seals.newest() ?? row?.checkpoint;
  const own = ownIn(seals, note);
  if (!row || note === undefined || !own) return null;
  const { origin, nth, size } = own;
  const cosigned = await readCosigned(join(place.dir, String(nth)), witnesses);
  return {
    name: place.name,
    origin,
    checkpoint: note,
    size,
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

/** Whether the database keeps another text as the newest checkpoint than one that the key of the seals has signed, or none any more: somebody has changed it there. */
export async function isForged(db: Queryable, seals: Pick<GradedSeals, 'place' | 'newest'>): Promise<boolean> {
  const row = await readKept(db);
  const newest = ownIn(seals, seals.newest());
  if (!row) return newest !== undefined;
  // A log that was begun just now has none yet.
  if (row.checkpoint === '') return newest?.nth === row.origin;
  return ownIn(seals, row.checkpoint) === undefined;
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

/**
 * The notices of what the database says of the seals, and of who has cosigned them. None where the database does not answer, or somebody holds a lock there: all other notices come
 * all the same.
 */
export async function findNotices(seals: {
  readonly isForged: () => Promise<boolean>;
  readonly grade: () => Promise<SealGrade | null>;
}): Promise<FoundNotice[]> {
  try {
    const isForgedNow = await seals.isForged();
    return [...(isForgedNow ? [{ code: 'CHECKPOINT_FORGED' } as const] : []), ...noticesOf(await seals.grade())];
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return [];
    throw error;
  }
}
