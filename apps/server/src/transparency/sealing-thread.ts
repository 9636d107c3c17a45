import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Witness } from '../seal-settings.ts';

/** A look takes no longer to end on a disk that answers. */
const STOP_MS = 10_000;

/** What the thread that seals is given: plain data, as it has nothing else in common with the server. */
export interface ThreadData {
  readonly dir: string;
  readonly name: string;
  /** 32 bytes of Ed25519. */
  readonly privateKey: Uint8Array;
  readonly witnesses: readonly Witness[];
}

/** What the thread says: that it needs the address of the database; how many changes it has sealed that no log tells of; why the records of what was cleared could not be removed; or what stands in its way, or in that of a witness; null once nothing does. */
export type FromThread =
  | { readonly needsAddress: true }
  | { readonly unlogged: number }
  | { readonly unpruned: string }
  | { readonly trouble: string | null }
  | { readonly witness: string; readonly found: string | null };
/** What it is told: the address that it asked for, or to stop. */
export type ToThread = { readonly address: string } | { readonly stop: true };

/** Sealing as the server sees it. */
export interface Sealing {
  /** What stands in its way, as a sentence; undefined where nothing does. */
  trouble(): string | undefined;
  /** Ends it between two looks; where its disk does not answer, it is left where it is after some seconds. */
  stop(): Promise<void>;
}

/**
 * Seals in a thread of its own, so that no bet waits for it. Where it breaks, that is its trouble, and it begins anew with the server.
 */
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
  const tell = (message: ToThread): void => worker.postMessage(message);
  const ended = new Promise((exited) => worker.once('exit', exited));
  worker.on('message', (said: FromThread) => {
    if ('trouble' in said) become(said.trouble ?? undefined);
    else if ('unlogged' in said) unlogged(said.unlogged);
    else if ('unpruned' in said) unpruned(said.unpruned);
    else if ('witness' in said) witnessed(said.witness, said.found ?? undefined);
    else tell({ address: address() });
  });
  worker.on('error', (error) => become(`Nothing is sealed until the server is started again: ${error.message}`));
  return {
    trouble: () => trouble,
    async stop() {
      tell({ stop: true });
      await Promise.race([ended, once(AbortSignal.timeout(STOP_MS), 'abort')]);
      // What else is to be stopped does not wait for it.
      worker.unref();
    },
  };
}
