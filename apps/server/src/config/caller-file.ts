import { resolve } from 'node:path';
import { environment } from './config.ts';

/**
 * Resolves against the caller's folder, which npm and the setup pass in `INIT_CWD`; commands themselves run in the
 * project folder.
 */
export function callerFile(file: string, env: Readonly<Record<string, string | undefined>> = environment()): string {
  return resolve(env['INIT_CWD'] ?? '.', file);
}
