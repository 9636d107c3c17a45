import { Transform } from 'node:stream';

/** While others need the CPU, pauses after each piece for `PAUSES` times its duration, up to a limit. */
const PIECE_BYTES = 1e6;
const PAUSES = 5;
const MAX_PAUSE_MS = 200;

export function createRowReader(passed: (bytes: number) => void, isBusy: () => boolean = () => false): Transform {
  let [pieceBytes, sinceMs] = [0, performance.now()];
  const begin = (): void => void ([pieceBytes, sinceMs] = [0, performance.now()]);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, pass) {
      passed(chunk.length);
      pieceBytes += chunk.length;
      if (pieceBytes < PIECE_BYTES) return pass(null, chunk);
      const pauseMs = isBusy() ? Math.min(MAX_PAUSE_MS, (performance.now() - sinceMs) * PAUSES) : 0;
      const goOn = (): void => {
        begin();
        pass(null, chunk);
      };
      if (pauseMs > 0) setTimeout(goOn, pauseMs);
      else goOn();
    },
    flush(end) {
      passed(Infinity);
      end();
    },
  });
}
