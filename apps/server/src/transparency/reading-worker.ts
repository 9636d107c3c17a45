import { parentPort, workerData } from 'node:worker_threads';
import { readBundle } from './read-bundle.ts';
import type { LogToRead } from './read-bundle.ts';

const port = parentPort!;

port.on('message', (nth: number) => {
  const read = readBundle(workerData as LogToRead, nth);
  const parts = [read.bundle, read.tile, read.hashed?.nodes].filter((bytes) => bytes !== undefined);
  // Small files share memory with others, and are copied.
  const whole = parts.filter(({ length, buffer }) => length === buffer.byteLength);
  port.postMessage(
    read,
    whole.map(({ buffer }) => buffer as ArrayBuffer),
  );
});
