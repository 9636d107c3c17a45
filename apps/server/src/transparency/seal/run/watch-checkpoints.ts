import { parseCheckpoint, logNameOf } from '@drawhouse/tlog/checkpoints';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import type { Database } from '../../../platform/db/database.ts';
import { SEALS } from './run-sealing.ts';
import { verifierKey } from '../seal-key.ts';
import { sql } from '../../../platform/db/sql/sql.ts';

const MINUTE_MS = 60_000;
/** A witness this far behind is silent. */
export const SILENT_AFTER_MS = 10 * MINUTE_MS;

export interface SealNews {
  newest(): string | undefined;
  /** Ten to eleven minutes ago; 0 if it did not exist. */
  sizeToBeWitnessed(): number;
  close(): Promise<void>;
}

/**
 * Rereads after gaps. Ignores invalid signatures, otherwise database access would suffice to issue worthless receipts.
 * Ignores replayed, smaller checkpoints. `nowMs` is Unix milliseconds.
 */
export function watchCheckpoints(
  db: Pick<Database, 'query' | 'listen'>,
  publicKey: Uint8Array,
  nowMs: () => number,
): SealNews {
  let newest: string | undefined;
  let upTo: OwnCheckpoint | undefined;
  let messages = 0;
  const sizes = new SizesByTime();
  const take = (checkpoint: string, atMs: number): void => {
    const own = ownCheckpoint(checkpoint, publicKey);
    if (!own || (upTo && !isBeyond(own, upTo))) return;
    [newest, upTo] = [checkpoint, own];
    sizes.note(checkpoint, atMs);
  };
  const read = async (): Promise<void> => {
    const before = messages;
    const [row] = await db.query<{ checkpoint: string; at: Date }>(
      sql`select checkpoint, at from seal_progress order by origin desc limit 1`.named('newest-checkpoint'),
    );
    // Notifications received meanwhile are newer.
    if (messages === before && row && row.checkpoint !== '') take(row.checkpoint, Math.min(row.at.getTime(), nowMs()));
  };
  const listener = db.listen(SEALS, {
    onMessage(checkpoint) {
      messages++;
      take(checkpoint, nowMs());
    },
    missed: () => void read().catch(() => {}),
  });
  return {
    newest: () => newest,
    sizeToBeWitnessed: () => sizes.at(nowMs() - SILENT_AFTER_MS),
    close: () => listener.close(),
  };
}

export interface OwnCheckpoint {
  readonly nth: number;
  readonly size: number;
}

/** Undefined unless signed by the seal key. */
export function ownCheckpoint(note: string, publicKey: Uint8Array): OwnCheckpoint | undefined {
  try {
    const { text, signatures } = parseNote(note);
    const { origin, size } = parseCheckpoint(text);
    const key = verifierKey(origin, publicKey);
    const own = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
    const log = logNameOf(origin);
    if (!own || !log || !verifyOnNode(publicKey, Buffer.from(text), own.signature)) return undefined;
    return { nth: log.nth, size };
  } catch (error) {
    if (error instanceof NoteError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isBeyond(one: OwnCheckpoint, other: OwnCheckpoint): boolean {
  return one.nth === other.nth ? one.size > other.size : one.nth > other.nth;
}

export class SizesByTime {
  #origin: string | undefined;
  #kept: { atMs: number; size: number }[] = [];

  note(checkpoint: string, atMs: number): void {
    const { origin, size } = parseCheckpoint(parseNote(checkpoint).text);
    if (origin !== this.#origin) this.#kept = [];
    this.#origin = origin;
    const isOfMinute = (one: { atMs: number }): boolean =>
      Math.floor(one.atMs / MINUTE_MS) === Math.floor(atMs / MINUTE_MS);
    if (this.#kept.length > 0 && isOfMinute(this.#kept.at(-1)!)) this.#kept.pop();
    this.#kept.push({ atMs, size });
    const long = this.#kept.findLastIndex((one) => one.atMs <= atMs - SILENT_AFTER_MS);
    if (long > 0) this.#kept.splice(0, long);
  }

  at(atMs: number): number {
    return this.#kept.findLast((one) => one.atMs <= atMs)?.size ?? 0;
  }
}
