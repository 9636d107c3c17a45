import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { environment, type Config } from '../config/config.ts';
import { startEmbedded } from '../platform/db/embedded/embedded.ts';
import { schemaState, UNRELEASED, type SchemaState } from '../platform/db/migrate.ts';
import { COMMAND_TEXTS } from './commands-texts.ts';

export interface Command<Wish> {
  readonly usage: string;
  readonly read: (args: readonly string[]) => Wish;
  readonly run: (wish: Wish) => Promise<number>;
}

/** Exit code 1: failure. 2: invalid arguments. */
export async function runCommandLine<Wish>({ usage, read, run }: Command<Wish>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(usage);
    return;
  }
  let wish: Wish;
  try {
    wish = read(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  try {
    process.exitCode = await run(wish);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

/** npm and the setup pass the caller's folder in `INIT_CWD`; commands run in the project folder. */
export function callerFile(file: string, env: Readonly<Record<string, string | undefined>> = environment()): string {
  return resolve(env['INIT_CWD'] ?? '.', file);
}

/** Words of messages, such as `Nothing to audit` and `Audit it by that version`. */
interface CommandVerb {
  readonly verb: string;
  readonly noun: string;
}

/** Requires a current schema. The server may be running. */
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
    if (state !== 'current') throw new Error(otherSchema(config, doing)[state]);
    return await act(embedded?.serverUrl ?? databaseUrl!, ownerAddress);
  } finally {
    await embedded?.stop();
  }
}

/** A move between cells reads two databases. */
function otherSchema(
  { cellName }: Config,
  { verb, noun }: CommandVerb,
): Record<Exclude<SchemaState, 'current'>, string> {
  const database = cellName === undefined ? 'The database' : `The database of ${cellName}`;
  return {
    empty: COMMAND_TEXTS.empty(verb),
    older: COMMAND_TEXTS.older(database, noun),
    newer: COMMAND_TEXTS.newer(database, noun),
    unreleased: UNRELEASED,
  };
}

/** The wrapper in deploy/ reports its caller, because it runs commands as the server's user. */
export function osUser(): string | undefined {
  const { DRAWHOUSE_CALLER: caller = '' } = environment();
  const name = caller.replaceAll(/[^\w.@-]/g, '').slice(0, 64);
  if (name) return name;
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
