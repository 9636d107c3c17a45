import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { ManifestFile } from './manifest.ts';

/** PostgreSQL repeats what it takes for no value, however long that is. */
const MAX_WHY = 300;

/** A step of a pipeline that passes a file on as it is and knows how large it is. */
export interface Measure {
  readonly step: Transform;
  /** What has passed so far, in bytes. */
  readonly bytes: () => number;
  /** Of all that passed, in hex; asked once, at the end. */
  readonly sha256: () => string;
}

/** Makes one. `look` is run, and waited for, whenever so many bytes more have passed; what it throws ends the pipeline. */
export function createMeasure(look?: { readonly everyBytes: number; readonly run: () => Promise<void> }): Measure {
  const hash = createHash('sha256');
  let bytes = 0;
  let lookAt = look?.everyBytes ?? Infinity;
  const step = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (look === undefined || bytes < lookAt) return done(null, chunk);
      lookAt = bytes + look.everyBytes;
      look.run().then(() => done(null, chunk), done);
    },
  });
  return { step, bytes: () => bytes, sha256: () => hash.digest('hex') };
}

/** How what has passed differs from the file of the manifest that it is to be, in words that follow its name; undefined where it does not. Asked once. */
export function differenceOf(measure: Measure, { bytes, sha256 }: ManifestFile): string | undefined {
  if (measure.bytes() !== bytes) return `has ${measure.bytes()} bytes; the manifest says ${bytes}`;
  if (measure.sha256() !== sha256) return 'was changed: its SHA-256 is not that of the manifest';
  return undefined;
}

/** Why a file that the manifest names can't be read, in words that follow its name. */
export function unreadable({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' ? 'is missing' : `can't be read: ${message.slice(0, MAX_WHY)}`;
}
