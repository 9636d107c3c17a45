import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { logNameOf } from '@drawhouse/tlog/log-origins';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import type { Database } from '../db/database.ts';
import { SEALS } from './run-sealing.ts';
import { verifierKey } from './seal-key.ts';

const MINUTE_MS = 60_000;
/** A witness that has not cosigned what was sealed so long ago is silent. */
const SILENT_AFTER_MS = 10 * MINUTE_MS;

/** The newest checkpoint that this server knows of, whichever server signed it. */
export interface SealNews {
  /** A signed note; undefined where none was heard of yet. */
  newest(): string | undefined;
  /** How many records of the newest log were sealed ten minutes ago, or up to a minute before; 0 where it was not there then. */
  sizeToBeWitnessed(): number;
  close(): Promise<void>;
}

/**
 * Listens for checkpoints, and reads the newest one whenever some may have been missed. What the key of the installation has not signed is passed over: whoever can write to the
 * database would give every bet a receipt that proves nothing. So is what the key has signed before, of no more records, which anybody can tell once more. `nowMs` is the time in
 * milliseconds since 1970.
 */
export function createSealNews(
  db: Pick<Database, 'query' | 'listen'>,
  publicKey: Uint8Array,
  nowMs: () => number,
): SealNews {
  let newest: string | undefined;
  let upTo: OwnCheckpoint | undefined;
  let heard = 0;
  const sizes = new SizesByTime();
  const take = (checkpoint: string, atMs: number): void => {
    const own = ownCheckpoint(checkpoint, publicKey);
    if (!own || (upTo && !isBeyond(own, upTo))) return;
    [newest, upTo] = [checkpoint, own];
    sizes.note(checkpoint, atMs);
  };
  const read = async (): Promise<void> => {
    const before = heard;
    const [row] = await db.query<{ checkpoint: string; at: Date }>(
      'select checkpoint, at from seal_progress order by origin desc limit 1',
      [],
      'newest-checkpoint',
    );
    // What was heard meanwhile is newer.
    if (heard === before && row && row.checkpoint !== '') take(row.checkpoint, Math.min(row.at.getTime(), nowMs()));
  };
  const listener = db.listen(SEALS, {
    heard(checkpoint) {
      heard++;
      take(checkpoint, nowMs());
    },
    // Where the database is away, it is missed again once it is back.
    missed: () => void read().catch(() => {}),
  });
  return {
    newest: () => newest,
    sizeToBeWitnessed: () => sizes.at(nowMs() - SILENT_AFTER_MS),
    close: () => listener.close(),
  };
}

/** What a checkpoint says that the key of the installation has signed. */
export interface OwnCheckpoint {
  readonly origin: string;
  /** Which log of the installation it is of, from 1. */
  readonly nth: number;
  /** How many records that had. */
  readonly size: number;
}

/** A text as a checkpoint of a log of this installation; undefined where it is none, or not signed by its key. */
export function ownCheckpoint(note: string, publicKey: Uint8Array): OwnCheckpoint | undefined {
  try {
    const { text, signatures } = parseNote(note);
    const { origin, size } = parseCheckpoint(text);
    const key = verifierKey(origin, publicKey);
    const own = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
    const log = logNameOf(origin);
    if (!own || !log || !verifyOnNode(publicKey, Buffer.from(text), own.signature)) return undefined;
    return { origin, nth: log.nth, size };
  } catch (error) {
    if (error instanceof NoteError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isBeyond(one: OwnCheckpoint, other: OwnCheckpoint): boolean {
  return one.nth === other.nth ? one.size > other.size : one.nth > other.nth;
}

/** How many records a log had at any time since somewhat more than {@link SILENT_AFTER_MS}, to the minute. */
export class SizesByTime {
  #origin: string | undefined;
  /** The last one of each minute, the oldest first. */
  #kept: { atMs: number; size: number }[] = [];

  /** Takes note of a checkpoint that was heard of at a time. */
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

  /** How many it had at a time that is not before what is kept. */
  at(atMs: number): number {
    return this.#kept.findLast((one) => one.atMs <= atMs)?.size ?? 0;
  }
}
