import { resolve } from 'node:path';
import { environment } from '../config/config.ts';

export interface Command<Wish> {
  readonly usage: string;
  readonly read: (args: readonly string[]) => Wish | 'help';
  readonly run: (wish: Wish) => Promise<number>;
}

/** Runs a command and exits: 1 on failure, 2 on invalid arguments. */
export async function runCommandLine<Wish>({ usage, read, run }: Command<Wish>): Promise<void> {
  let wish: Wish | 'help';
  try {
    wish = read(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (wish === 'help') {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await run(wish);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

/**
 * Resolves against the caller's folder, which npm and the setup pass in `INIT_CWD`; commands themselves run in the
 * project folder.
 */
export function callerFile(file: string, env: Readonly<Record<string, string | undefined>> = environment()): string {
  return resolve(env['INIT_CWD'] ?? '.', file);
}
