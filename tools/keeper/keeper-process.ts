import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { OPERATOR } from './keeper-sample.ts';

const SCRIPT = fileURLToPath(new URL('../keeper.ts', import.meta.url));

/** A keeper in a process of its own, for tests that kill it. */
export interface KeeperProcess {
  readonly url: string;
  readonly identity: { readonly publicKey: string };
  /** Kills it at once, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop; gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `npm run keeper` on a folder. Rejects with what it said where it ends instead of answering. */
export async function startKeeperProcess(dir: string, more: readonly string[] = []): Promise<KeeperProcess> {
  const args = ['--dir', dir, '--operator', OPERATOR.publicKey, '--port', '0', '--draws-per-day', '3000', ...more];
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const greeting = (async () => {
    let url: string | undefined;
    for await (const line of createInterface(child.stdout)) {
      url ??= / answers at (\S+)/.exec(line)?.[1];
      const publicKey = /^Public key: (\S+)/.exec(line)?.[1];
      if (url !== undefined && publicKey !== undefined) return { url, identity: { publicKey } };
    }
    throw new Error(said);
  })();
  return {
    ...(await greeting),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}
