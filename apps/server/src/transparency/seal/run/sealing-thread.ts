import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Witness } from '../../../config/outside-services.ts';
import { SEAL_TEXTS } from '../../transparency-texts.ts';

/** A pass on a working disk takes less. */
const STOP_MS = 10_000;

/** Plain data, since threads share nothing else. */
export interface ThreadData {
  readonly dir: string;
  readonly name: string;
  readonly privateKey: Uint8Array;
  readonly witnesses: readonly Witness[];
}

/** Address request, unlogged changes, pruning errors, or problems of sealing or of a witness; null after recovery. */
export type FromThread =
  | { readonly needsAddress: true }
  | { readonly unlogged: number }
  | { readonly unpruned: string }
  | { readonly trouble: string | null }
  | { readonly witness: string; readonly found: string | null };
export type ToThread = { readonly address: string } | { readonly stop: true };

export interface Sealing {
  trouble(): string | undefined;
  /** Stops between passes; abandons a thread whose disk hangs. */
  stop(): Promise<void>;
}

/** Seals in a thread, so bets never wait. After a failure it stays down until the server restarts. */
export function startSealing(
  data: ThreadData,
  address: () => string,
  {
    changed,
    unlogged,
    unpruned,
    witnessed,
  }: {
    readonly changed: (trouble: string | undefined) => void;
    readonly unlogged: (changes: number) => void;
    readonly unpruned: (why: string) => void;
    readonly witnessed: (witness: string, trouble: string | undefined) => void;
  },
): Sealing {
  let trouble: string | undefined;
  const become = (next: string | undefined): void => {
    if (next === trouble) return;
    trouble = next;
    changed(next);
  };
  const worker = new Worker(new URL('./sealing-worker.ts', import.meta.url), { workerData: data });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: ToThread): void => worker.postMessage(message);
  const ended = new Promise((exited) => worker.once('exit', exited));
  worker.on('message', (message: FromThread) => {
    if ('trouble' in message) become(message.trouble ?? undefined);
    else if ('unlogged' in message) unlogged(message.unlogged);
    else if ('unpruned' in message) unpruned(message.unpruned);
    else if ('witness' in message) witnessed(message.witness, message.found ?? undefined);
    else send({ address: address() });
  });
  worker.on('error', (error) => become(SEAL_TEXTS.stoppedUntilRestart(error.message)));
  return {
    trouble: () => trouble,
    async stop() {
      send({ stop: true });
      await Promise.race([ended, once(AbortSignal.timeout(STOP_MS), 'abort')]);
      worker.unref();
    },
  };
}
