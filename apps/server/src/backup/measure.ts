import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

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
