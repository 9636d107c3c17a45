import { resolve } from 'node:path';
import { environment } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import { startEmbedded } from '../platform/db/embedded/embedded.ts';
import { schemaState, UNRELEASED } from '../platform/db/migrate.ts';
import type { SchemaState } from '../platform/db/migrate.ts';
import { COMMAND_TEXTS } from './commands-texts.ts';

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

/** Verb for messages: nothing to *audit*. *Audit* it by that version. */
interface CommandVerb {
  readonly verb: string;
  readonly noun: string;
}

/**
 * Passes addresses of a database with current schema, for serving and owner roles, with or without a running server.
 * Throws a sentence otherwise.
 */
export async function withExistingDatabase<T>(
  config: Config,
  doing: CommandVerb,
  act: (address: string, ownerAddress: string) => Promise<T>,
): Promise<T> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = config;
  const embedded = databaseUrl === undefined ? await startEmbedded(dataDir, { exclusive: false }) : undefined;
  try {
    if (databaseUrl === undefined && !embedded) throw new Error(COMMAND_TEXTS.noDatabase(doing.verb, dataDir));
    const ownerAddress = embedded?.ownerUrl ?? databaseOwnerUrl ?? databaseUrl!;
    const state = await schemaState(ownerAddress);
    if (state !== 'current') throw new Error(otherSchema(doing)[state]);
    return await act(embedded?.serverUrl ?? databaseUrl!, ownerAddress);
  } finally {
    await embedded?.stop();
  }
}

function otherSchema({ verb, noun }: CommandVerb): Record<Exclude<SchemaState, 'current'>, string> {
  return {
    empty: COMMAND_TEXTS.empty(verb),
    older: COMMAND_TEXTS.older(noun),
    newer: COMMAND_TEXTS.newer(noun),
    unreleased: UNRELEASED,
  };
}
