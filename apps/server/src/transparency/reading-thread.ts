import { Worker } from 'node:worker_threads';
import type { LogToRead, ReadBundle } from './read-bundle.ts';

/** Reads and hashes the bundles of a log in a thread of its own, beside whatever else is done with them. */
export interface ReadingThread {
  /** Rejects where a file can't be read, and from then on. */
  read(nth: number): Promise<ReadBundle>;
  /** Also where it has ended by itself. */
  end(): Promise<void>;
}

/** Starts it. */
export function startReading(log: LogToRead): ReadingThread {
  const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { workerData: log });
  // It answers in the order in which it is asked.
  const waiting: PromiseWithResolvers<ReadBundle>[] = [];
  let broken: Error | undefined;
  const breakAll = (error: Error): void => {
    broken ??= error;
    for (const { reject } of waiting.splice(0)) reject(broken);
  };
  // An answer can arrive after the error of a later read: by then its caller has been told of the error.
  worker.on('message', (read: ReadBundle) => waiting.shift()?.resolve(read));
  worker.on('error', breakAll);
  worker.once('exit', () => breakAll(new Error('the thread that reads has ended')));
  return {
    read(nth) {
      if (broken) return Promise.reject(broken);
      const answer = Promise.withResolvers<ReadBundle>();
      waiting.push(answer);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(nth);
      return answer.promise;
    },
    async end() {
      await worker.terminate();
    },
  };
}
