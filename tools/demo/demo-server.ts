import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause } from './client.ts';
import { DEMO_PASSWORD } from './plan.ts';

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
/** What main.ts says once it listens: only this names the address of this very server and no other on the port. */
const LISTENS = /^Drawhouse is ready: (http:\S+)/;

const GREETING = /^Drawhouse is ready: |^ {2}(?:username|password) |^ {2}It is shown only this once|^Note: /;

/** The server as a child of the demo. */
export interface DemoServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Its exit code, once it has ended; 128 + n when signal n ended it. */
  readonly ended: Promise<number>;
  /** Asks it to stop, PostgreSQL with it, and waits until it has. */
  stop(): Promise<void>;
}

/** The server ended before it was ready; it has said why. */
export class ServerEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`The server ended with exit code ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** How the server is started. */
export interface ServerOptions {
  /** Settings beside those of the demo. */
  readonly env?: Readonly<Record<string, string>>;
  /** A module that its process loads first, and that messages are exchanged with; its address. */
  readonly preload?: string;
}

/** Starts the server on the demo's data folder and waits until it is ready. Throws {@link ServerEnded} when it is not. */
export async function startServer(signal: AbortSignal, { env, preload }: ServerOptions = {}): Promise<DemoServer> {
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), MAIN], {
    env: {
      ...process.env,
      SUPERADMIN_PASSWORD: DEMO_PASSWORD,
      DATA_DIR: process.env['DATA_DIR']?.trim() || 'data-demo',
      LOG_FORMAT: process.env['LOG_FORMAT']?.trim() || (process.stdout.isTTY ? 'text' : 'json'),
      ...env,
      // Well-known passwords belong into no database but the demo's own.
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit', ...(preload ? (['ipc'] as const) : [])],
    // A group of its own: Ctrl-C in the terminal reaches the demo alone, which stops the players first.
    detached: process.platform !== 'win32',
  });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code, by) => resolve(code ?? 128 + constants.signals[by!]));
  });
  const askToStop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', askToStop);

  const url = await new Promise<string>((resolve, reject) => {
    void ended.then((exitCode) => reject(new ServerEnded(exitCode)));
    let listens = false;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, address] = LISTENS.exec(line) ?? [];
      if (address) resolve(address);
      listens ||= address !== undefined;
      // The rest of its greeting says how to sign in, and so does the demo.
      if (!listens || !GREETING.test(line)) console.log(line);
    });
  });
  signal.removeEventListener('abort', askToStop);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  while (!signal.aborted && !(await isReady(url))) await pause(50, signal);
  return { url, process: child, ended, stop };
}

/** Whether a server answers that it is ready. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
