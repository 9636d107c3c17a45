import type { Database } from '../db/database.ts';
import { SEALS } from './run-sealing.ts';

/** The newest checkpoint that this server knows of, whichever server signed it. */
export interface SealNews {
  /** A signed note; undefined where none was heard of yet. */
  newest(): string | undefined;
  close(): Promise<void>;
}

/** Listens for checkpoints, and reads the newest one whenever some may have been missed. */
export function createSealNews(db: Pick<Database, 'query' | 'listen'>): SealNews {
  let newest: string | undefined;
  let heard = 0;
  const read = async (): Promise<void> => {
    const before = heard;
    const [row] = await db.query<{ checkpoint: string }>(
      'select checkpoint from seal_progress order by origin desc limit 1',
      [],
      'newest-checkpoint',
    );
    // What was heard meanwhile is newer.
    if (heard === before && row && row.checkpoint !== '') newest = row.checkpoint;
  };
  const listener = db.listen(SEALS, {
    heard(checkpoint) {
      heard++;
      newest = checkpoint;
    },
    // Where the database is away, it is missed again once it is back.
    missed: () => void read().catch(() => {}),
  });
  return { newest: () => newest, close: () => listener.close() };
}
