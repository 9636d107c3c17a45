import { createHash } from 'node:crypto';
import { examineRound } from '@drawhouse/rules/drand';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import type { PublishedBeacon, PublishedKeeper } from '@drawhouse/rules/published-seed';
import type { KeptBy } from '@drawhouse/rules/terms';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { given } from './sealed-entry.ts';
import type { SealedRow } from './sealed-entry.ts';

const NODE_DIGITS = 64;
const ROOT_OF_NONE = createHash('sha256').digest('hex');

/** What others keep of a draw's seed, as it is published. */
export type KeptOfDraw = { readonly keepers: readonly PublishedKeeper[]; readonly beacon: PublishedBeacon | null };

/** What was sealed of those who keep parts of the seeds of draws of one network, until the draws are finished. */
export class KeptRecords {
  /** By keeper and day. */
  readonly #roots = new Map<string, SealedRow>();
  /** By draw, in their places. */
  readonly #places = new Map<string, Map<number, SealedRow>>();
  readonly #rounds = new Map<string, SealedRow>();

  /** Takes a record of one of their tables; of draws that are finished nothing is kept. */
  keep(table: string, row: SealedRow, isOpen: (drawId: string) => boolean): void {
    if (table === 'keeper_roots') this.#roots.set(`${given(row, 'keeper')} ${given(row, 'day')}`, row);
    else if (!isOpen(given(row, 'draw_id'))) return;
    else if (table === 'draw_beacons') this.#rounds.set(given(row, 'draw_id'), row);
    else if (table === 'draw_keepers') {
      const places = this.#places.get(given(row, 'draw_id')) ?? new Map<number, SealedRow>();
      places.set(Number(given(row, 'place')), row);
      this.#places.set(given(row, 'draw_id'), places);
    }
  }

  forget(drawId: string): void {
    this.#places.delete(drawId);
    this.#rounds.delete(drawId);
  }

  /** What is known of a draw, by who its terms name; undefined where they name nobody, or a record is missing. */
  of(drawId: string, terms: SealedRow | undefined): KeptOfDraw | undefined {
    if (terms?.['kept'] == null) return undefined;
    const { keepers: named, beacon: chain } = JSON.parse(terms['kept']) as KeptBy;
    const keepers = named.map(({ name, publicKey }, nth) => {
      const row = this.#places.get(drawId)?.get(nth);
      const root = row && this.#roots.get(`${given(row, 'keeper')} ${given(row, 'day')}`);
      return root && { ...publishedOf(row, root), name, publicKey };
    });
    const round = this.#rounds.get(drawId);
    if (keepers.includes(undefined) || (chain && !round)) return undefined;
    return {
      keepers: keepers as PublishedKeeper[],
      beacon: chain && {
        ...chain,
        round: Number(given(round!, 'round')),
        signature: hexOrNull(round!, 'signature'),
      },
    };
  }
}

function publishedOf(row: SealedRow, root: SealedRow): Omit<PublishedKeeper, 'name' | 'publicKey'> {
  const path = hex(row, 'path');
  return {
    day: given(row, 'day'),
    index: Number(given(row, 'index')),
    size: Number(given(root, 'size')),
    root: hex(root, 'root'),
    daySignature: hex(root, 'signature'),
    commitment: hex(row, 'commitment'),
    path: Array.from({ length: path.length / NODE_DIGITS }, (_, nth) =>
      path.slice(nth * NODE_DIGITS, (nth + 1) * NODE_DIGITS),
    ),
    closesAt: isoOf(given(row, 'closes_at')),
    seed: hexOrNull(row, 'seed'),
    releasedAt: row['released_at'] == null ? null : isoOf(row['released_at']),
    signature: hexOrNull(row, 'signature'),
  };
}

/** What is wrong with what those have signed who keep parts of a draw's seed, as sentences. */
export function judgeKept(draw: SealedRow, { keepers, beacon }: KeptOfDraw): readonly string[] {
  const { problems } = examineKeepers(
    {
      drawId: given(draw, 'id'),
      closesAt: isoOf(given(draw, 'closes_at')),
      commitment: hex(draw, 'commitment'),
      tickets: Number(draw['ticket_count'] ?? 0),
      // Of no tickets it is not stored.
      ticketRoot: hexOrNull(draw, 'ticket_root') ?? ROOT_OF_NONE,
      keepers,
    },
    (signature, text, publicKey) => verifyOnNode(publicKey, text, signature),
  );
  return beacon === null ? problems : [...problems, ...examineRound(beacon)];
}

/** An instant of a record, which PostgreSQL writes in UTC, as it is published: ISO 8601 with milliseconds. */
export function isoOf(instant: string): string {
  return new Date(instant.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString();
}

function hex(row: SealedRow, column: string): string {
  return given(row, column).replace(/^\\x/, '');
}

function hexOrNull(row: SealedRow, column: string): string | null {
  return row[column] == null ? null : hex(row, column);
}
