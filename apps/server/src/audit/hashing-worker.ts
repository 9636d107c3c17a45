import { parentPort } from 'node:worker_threads';
import { hashBundle } from './hash-bundles.ts';
import type { ToHash } from './hashing-thread.ts';

const port = parentPort!;

port.on('message', ({ bundle, width }: ToHash) => {
  const hashed = hashBundle(bundle, width);
  port.postMessage(hashed ?? null, hashed ? [hashed.nodes.buffer as ArrayBuffer] : []);
});
