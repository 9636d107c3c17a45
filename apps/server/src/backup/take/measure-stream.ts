import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { ManifestFile } from './archive/manifest.ts';
import { DAMAGE } from '../backup-texts.ts';

const MAX_WHY = 300;

export interface Measure {
  readonly step: Transform;
  readonly bytes: () => number;
  /** Hex. Call once, at the end. */
  readonly sha256: () => string;
}

/** Awaits `run` after every `everyBytes`; its errors end the pipeline. */
export function createMeasure(check?: { readonly everyBytes: number; readonly run: () => Promise<void> }): Measure {
  const hash = createHash('sha256');
  let bytes = 0;
  let checkAt = check?.everyBytes ?? Infinity;
  const step = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (check === undefined || bytes < checkAt) return done(null, chunk);
      checkAt = bytes + check.everyBytes;
      check.run().then(() => done(null, chunk), done);
    },
  });
  return { step, bytes: () => bytes, sha256: () => hash.digest('hex') };
}

/** Clause to follow the file name; undefined if equal. Call once. */
export function differenceOf(measure: Measure, { bytes, sha256 }: ManifestFile): string | undefined {
  if (measure.bytes() !== bytes) return DAMAGE.otherBytes(measure.bytes(), bytes);
  if (measure.sha256() !== sha256) return DAMAGE.otherHash;
  return undefined;
}

/** Clause to follow the file name. */
export function unreadable({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' ? 'is missing' : DAMAGE.unreadable(message.slice(0, MAX_WHY));
}
