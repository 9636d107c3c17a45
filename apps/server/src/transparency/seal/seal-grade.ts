import { join } from 'node:path';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { SealGrade } from '@drawhouse/contract/seals/seals';
import type { Queryable } from '../../platform/db/database.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import type { Witness } from '../../config/outside-services.ts';
import type { SealsPlace } from './open-newest-log.ts';
import { ownCheckpoint, type OwnCheckpoint } from './run/watch-checkpoints.ts';
import { readCosigned, type Cosigned } from '../witness/co-sign.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { SEAL_TEXTS } from '../transparency-texts.ts';

const SECOND_MS = 1_000;

export interface GradedSeals {
  readonly place: SealsPlace;
  readonly witnesses: readonly Witness[];
  /** Newest checkpoint with a valid signature; undefined before the first. */
  readonly newest: () => string | undefined;
  /** Size that live witnesses should have cosigned. */
  readonly sizeToBeWitnessed: () => number;
  readonly trouble: () => string | undefined;
}

async function readPersisted(db: Queryable): Promise<StoredGrade | undefined> {
  const [row] = await db.query<StoredGrade>(
    sql`select origin, at, checkpoint from seal_progress order by origin desc limit 1`.named('seal-grade'),
  );
  return row;
}

type StoredGrade = { readonly origin: number; readonly at: Date; readonly checkpoint: string };

function ownIn({ place }: Pick<GradedSeals, 'place'>, note: string | undefined): OwnCheckpoint | undefined {
  return note === undefined ? undefined : ownCheckpoint(note, place.signer.publicKey);
}

/**
 * Null if nothing is sealed. The database's checkpoint counts only with a valid signature, and if nothing newer is
 * known.
 */
export async function readGrade(db: Queryable, seals: GradedSeals): Promise<SealGrade | null> {
  const { place, witnesses } = seals;
  const row = await readPersisted(db);
  const note = seals.newest() ?? row?.checkpoint;
  const own = ownIn(seals, note);
  if (!row || note === undefined || !own) return null;
  const { nth, size } = own;
  const cosigned = await readCosigned(join(place.dir, String(nth)), witnesses);
  return {
    size,
    sealedAt: row.at.toISOString(),
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

/** The checkpoint was altered or removed in the database. */
export async function isForged(db: Queryable, seals: Pick<GradedSeals, 'place' | 'newest'>): Promise<boolean> {
  const row = await readPersisted(db);
  const newest = ownIn(seals, seals.newest());
  if (!row) return newest !== undefined;
  if (row.checkpoint === '') return newest?.nth === row.origin;
  return ownIn(seals, row.checkpoint) === undefined;
}

function standingOf(name: string, cosigned: Cosigned | undefined, wanted: number): SealGrade['witnesses'][number] {
  return {
    name,
    last: cosigned ? new Date(cosigned.time * SECOND_MS).toISOString() : null,
    isSilent: (cosigned?.size ?? 0) < wanted,
  };
}

/** No outside witness, or a silent one. */
export function noticesOf(grade: SealGrade | null): FoundNotice[] {
  if (!grade) return [];
  const isSealedAlone = !grade.witnesses.some(({ last, isSilent }) => last !== null && !isSilent);
  const silent = grade.witnesses.filter(({ isSilent }) => isSilent);
  const latest = silent.reduce<string | null>((last, one) => ((one.last ?? '') > (last ?? '') ? one.last : last), null);
  const names = silent.map(({ name }) => name).join(', ');
  return [
    ...(isSealedAlone ? [{ code: 'SEALED_BY_ITSELF' } as const] : []),
    ...(silent.length > 0
      ? [{ code: 'WITNESS_SILENT', detail: SEAL_TEXTS.silentWitnesses(names), last: latest } as const]
      : []),
  ];
}

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
