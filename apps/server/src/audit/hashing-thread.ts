import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { HashedBundle } from './hash-bundles.ts';

/** What the thread is given; it answers in the same order. */
export interface ToHash {
  readonly bundle: Uint8Array;
  readonly width: number;
}

/** Hashes bundles in a thread of its own, beside whatever else is done with them. */
export interface HashingThread {
  /** The hashes of the first entries of a bundle, so many; undefined where it holds none, or fewer. Rejects where the thread is broken. */
  hash(bundle: Uint8Array, width: number): Promise<HashedBundle | undefined>;
  end(): Promise<void>;
}

/** Starts it. */
export function startHashing(): HashingThread {
  const worker = new Worker(new URL('./hashing-worker.ts', import.meta.url));
  const waiting: PromiseWithResolvers<HashedBundle | undefined>[] = [];
  let broken: Error | undefined;
  const breakAll = (error: Error): void => {
    broken ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (hashed: HashedBundle | null) => waiting.shift()!.resolve(hashed ?? undefined));
  worker.on('error', breakAll);
  worker.once('exit', () => breakAll(new Error('the thread that hashes has ended')));
  return {
    hash(bundle, width) {
      if (broken) return Promise.reject(broken);
      const answer = Promise.withResolvers<HashedBundle | undefined>();
      waiting.push(answer);
      const toHash: ToHash = { bundle, width };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(toHash);
      return answer.promise;
    },
    async end() {
      const ended = once(worker, 'exit');
      await worker.terminate();
      await ended.catch(() => {});
    },
  };
}
