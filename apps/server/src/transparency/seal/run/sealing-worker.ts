import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { signerOf } from '@drawhouse/tlog/node/ed25519';
import { askWitnesses } from '../../witness/ask-witnesses.ts';
import { runSealing } from './run-sealing.ts';
import type { FromThread, ThreadData, ToThread } from './sealing-thread.ts';

/** Longer than any server statement holds a conflicting lock. */
const LOCK_MS = 10_000;

const { dir, name, privateKey, witnesses } = workerData as ThreadData;
const port = parentPort!;
const stopping = new AbortController();
const say = (message: FromThread): void => port.postMessage(message);

port.on('message', (message: ToThread) => 'stop' in message && stopping.abort());

async function currentAddress(): Promise<string> {
  say({ needsAddress: true });
  for (;;) {
    const [first] = (await once(port, 'message', { signal: stopping.signal })) as [ToThread];
    if ('address' in first) return first.address;
  }
}

await runSealing(
  {
    connectionString: currentAddress,
    place: { dir, name, signer: signerOf(privateKey) },
    nowMs: () => performance.now(),
    lockMs: LOCK_MS,
    pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
    trouble: (error) => say({ trouble: error?.message ?? null }),
    unlogged: (changes) => say({ unlogged: changes }),
    unpruned: ({ message }) => say({ unpruned: message }),
    signed: askWitnesses(witnesses, stopping.signal, (witness, found) => say({ witness, found: found ?? null })),
  },
  stopping.signal,
);
port.close();
