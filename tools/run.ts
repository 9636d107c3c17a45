import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly output: string;
}

const running = new Set<ChildProcess>();
let isStopping = false;
/** Compile cache: a restarted program takes half the CPU time. */
const COMPILED = fileURLToPath(new URL('../.cache/compiled', import.meta.url));

/** Needed because setup signals only this process. */
export function stopTogether(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopping = true;
      const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of running) child.kill(signal);
      void Promise.all(ends).then(() => process.exit(128 + constants.signals[signal]));
    });
  }
}

/** Prints lines live or collects output. After a stop signal, new calls never settle. */
export function runScript(
  script: string,
  args: readonly string[],
  { say: print, env = {} }: { say?: (line: string) => void; env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    if (isStopping) return;
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      if (print) createInterface(stream).on('line', print);
      else stream.on('data', (part) => (output += part));
    }
    child.once('error', (error) => (output += error.message));
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}
