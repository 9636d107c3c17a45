/**
 * A keeper: the second party of a draw (docs/security.md). It commits to seeds a day ahead, and releases the one of a draw for one root of that
 * draw's tickets, once and for ever. It needs no database, only a folder and a port.
 *
 *   npm run keeper -- --dir FOLDER --operator KEY [--name NAME] [--host HOST] [--port PORT] [--draws-per-day N] [--newest N]
 *   npm run keeper -- verify --dir FOLDER
 */
import { parseArgs } from 'node:util';
import { runCommandLine } from '../apps/server/src/command-line.ts';
import { readPublicKey } from './keeper/keeper-keys.ts';
import { startKeeper } from './keeper/start-keeper.ts';
import type { KeeperOptions, RunningKeeper } from './keeper/start-keeper.ts';
import { verifyFolder } from './keeper/verify-folder.ts';

const TICK_MS = 10_000;
const DEFAULT_PORT = 3900;
const DEFAULT_DRAWS_PER_DAY = 200_000;
const MOST_DRAWS_PER_DAY = 2_000_000;
const MOST_PORT = 65_535;

const USAGE = `Usage: npm run keeper -- --dir FOLDER --operator KEY [options]
       npm run keeper -- verify --dir FOLDER

Keeps a second seed of each draw, and releases it once for one root of the draw's tickets. It is meant for another machine, or another party,
than the server: name it there by KEEPER_URL=http://host:port#PUBLIC_KEY.

  --dir FOLDER        its folder: keys, days and releases. Never copy it back: a keeper that forgets is none.
  --operator KEY      public key of the server whose questions it answers, as https://…/seals/key tells it; needed at the first start
  --name NAME         its name, in all that it signs, at the first start; by default keeper- and 8 digits of its key
  --host HOST         where it listens; by default 127.0.0.1
  --port PORT         by default ${DEFAULT_PORT}
  --draws-per-day N   how many seeds a day has that is made from now on; by default ${DEFAULT_DRAWS_PER_DAY}
  --newest N          says that the folder is the newest state of its keeper, where it asks for that

verify checks the folder, also beside the keeper that runs, and ends with 1 where something is wrong.`;

type KeeperWish = Omit<KeeperOptions, 'now' | 'failed' | 'noted'>;
type Wish = { readonly verify: string } | KeeperWish;

function read(args: readonly string[]): Wish | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      dir: { type: 'string' },
      operator: { type: 'string' },
      name: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      'draws-per-day': { type: 'string' },
      newest: { type: 'string' },
    },
  });
  if (values.help) return 'help';
  const { dir, operator, name, host = '127.0.0.1' } = values;
  if (positionals.length > 1 || (positionals.length === 1 && positionals[0] !== 'verify'))
    throw new Error(`There is no ${positionals.at(-1)!}: it is verify, or nothing.`);
  if (dir === undefined) throw new Error('--dir is missing: the folder of the keeper.');
  if (positionals[0] === 'verify') return { verify: dir };
  return {
    dir,
    name,
    host,
    operator: operator === undefined ? undefined : operatorOf(operator),
    port: countOf('--port', values.port, 0, MOST_PORT) ?? DEFAULT_PORT,
    drawsPerDay: countOf('--draws-per-day', values['draws-per-day'], 1, MOST_DRAWS_PER_DAY) ?? DEFAULT_DRAWS_PER_DAY,
    newest: countOf('--newest', values.newest, 0, Number.MAX_SAFE_INTEGER),
  };
}

function operatorOf(text: string): string {
  try {
    return readPublicKey(text);
  } catch (error) {
    throw new Error(`--operator: ${(error as Error).message}`);
  }
}

function countOf(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count >= least && count <= most)) throw new Error(`${name} must be a whole number from ${least} to ${most}.`);
  return count;
}

async function verify(dir: string): Promise<number> {
  const { days, releases, evidence, problems } = await verifyFolder(dir);
  for (const problem of problems) console.error(`PROBLEM: ${problem}`);
  console.log(
    `${days} days, ${releases} releases, ${evidence} lines of evidence: ${problems.length === 0 ? 'all right' : 'see above'}.`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** Ends at once: what was written is not known any more, and whoever starts it again reads what is there. */
function failed(error: unknown): void {
  console.error(`The keeper can't go on: ${(error as Error).message}`);
  process.exit(1);
}

function greet({ url, identity, olderCopy }: RunningKeeper): void {
  console.log(`${identity.name} answers at ${url}`);
  console.log(`Public key: ${identity.publicKey}`);
  console.log(`It releases to the operator ${identity.operators.at(-1)!}`);
  if (olderCopy !== undefined) console.error(olderCopy);
}

async function serve(wish: KeeperWish): Promise<number> {
  const keeper = await startKeeper({ ...wish, now: Date.now, failed, noted: (error) => console.error(error.message) });
  greet(keeper);
  const ticks = setInterval(() => void keeper.tick().catch(failed), TICK_MS);
  await new Promise<void>((stopped) => {
    process.once('SIGINT', () => stopped()).once('SIGTERM', () => stopped());
  });
  clearInterval(ticks);
  await keeper.close();
  return 0;
}

await runCommandLine<Wish>({
  usage: USAGE,
  read,
  run: (wish) => ('verify' in wish ? verify(wish.verify) : serve(wish)),
});
