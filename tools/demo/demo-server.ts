import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause } from './client.ts';
import { DEMO_PASSWORD } from './plan.ts';

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
/** Only this line names the address of this server rather than another on the port. */
const LISTENS = /^Drawhouse is ready: (http:\S+)/;

const GREETING = /^Drawhouse is ready: |^ {2}(?:username|password) |^ {2}It is shown only this once|^Note: /;

export interface DemoServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Exit code; 128 + n after signal n. */
  readonly ended: Promise<number>;
  /** Stops server and PostgreSQL, and waits. */
  stop(): Promise<void>;
}

export class ServerEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`The server stopped with exit code ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Also opens a message channel. */
  readonly preload?: string;
}

export async function startServer(signal: AbortSignal, { env, preload }: ServerOptions = {}): Promise<DemoServer> {
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), MAIN], {
    env: {
      ...process.env,
      SUPERADMIN_PASSWORD: DEMO_PASSWORD,
      DATA_DIR: process.env['DATA_DIR']?.trim() || 'data-demo',
      LOG_FORMAT: process.env['LOG_FORMAT']?.trim() || (process.stdout.isTTY ? 'text' : 'json'),
      ...env,
      // Keeps well-known passwords out of other databases.
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit', ...(preload ? (['ipc'] as const) : [])],
    // A separate process group: Ctrl-C reaches only the demo, which stops players first.
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

export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
