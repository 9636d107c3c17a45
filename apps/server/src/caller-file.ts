import { resolve } from 'node:path';
import { environment } from './config.ts';

/**
 * The path of a file that somebody named to a command: from the folder where they called it, which npm and the set-up tell in `INIT_CWD`, as a command itself runs in that of
 * the project.
 */
export function callerFile(file: string, env: Readonly<Record<string, string | undefined>> = environment()): string {
  return resolve(env['INIT_CWD'] ?? '.', file);
}
