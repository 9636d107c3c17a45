/**
 * Runs a witness of a server's seals, on another machine or by another party. Cosigns consistent checkpoints; refuses
 * others and stores both signed notes. See docs/manual/witness.md.
 *
 *   npm run witness -- --of https://host --key VKEY [--dir FOLDER] [--name NAME] [--port PORT]
 */
import { parseArgs } from 'node:util';
import { runCommandLine } from '../apps/server/src/commands/command-line.ts';
import { runWitness } from './witness/run-witness.ts';
import type { WitnessWish } from './witness/run-witness.ts';
import { readWitnessedLog } from './witness/witnessed-log.ts';

const DEFAULT_EVERY_SECONDS = 5;
const MOST_EVERY_SECONDS = 3_600;
const MOST_PORT = 65_535;
const MOST_LOGS = 999_999_999;
const MS = 1_000;

const USAGE = `Usage: npm run witness -- --of ADDRESS --key KEY [options]

Watches the seals of a server: keeps the last checkpoint that it saw, cosigns what goes on with it, and refuses what does not, with both signed
notes as evidence. It is meant for another machine, or another party, than the server, and needs no database.

  --of ADDRESS      of the server, such as https://example.org
  --key KEY         the line that ADDRESS/seals/key answers: ask for it on another way than from the server itself
  --dir FOLDER      its folder: key, last checkpoints, evidence; by default witness. Never copy an older one back: a witness that forgets is none.
  --name NAME       its name, in all that it cosigns, at the first start; by default witness- and 8 digits of its key
  --every SECONDS   how often it looks; by default ${DEFAULT_EVERY_SECONDS}
  --once            looks once and ends: 0 where all goes on, 1 where it could not be told, 3 where there is evidence of what should not be
  --accept N        the new log N is as it should be: you know why the server was made to begin it
  --port PORT       serves add-checkpoint too (C2SP tlog-witness), so that the server can come by itself
  --host HOST       where it listens; by default 127.0.0.1

It ends with 3 where there is evidence in its folder, also from before.`;

function read(args: readonly string[]): WitnessWish | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      of: { type: 'string' },
      key: { type: 'string' },
      dir: { type: 'string', default: 'witness' },
      name: { type: 'string' },
      every: { type: 'string' },
      once: { type: 'boolean', default: false },
      accept: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  if (values.help) return 'help';
  const { of, key, dir, name, once, host } = values;
  if (of === undefined || !/^https?:\/\/[^/]+\/?$/.test(of))
    throw new Error('--of is the address of the server, such as https://example.org.');
  if (key === undefined) throw new Error('--key is missing: the line that the server answers at /seals/key.');
  readWitnessedLog(key);
  const port = countOf('--port', values.port, 0, MOST_PORT);
  const everySeconds = countOf('--every', values.every, 1, MOST_EVERY_SECONDS) ?? DEFAULT_EVERY_SECONDS;
  return {
    of,
    key,
    dir,
    name,
    once,
    accepted: countOf('--accept', values.accept, 1, MOST_LOGS),
    everyMs: everySeconds * MS,
    listen: port === undefined ? undefined : { host, port },
  };
}

function countOf(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count >= least && count <= most)) throw new Error(`${name} must be a whole number from ${least} to ${most}.`);
  return count;
}

await runCommandLine<WitnessWish>({
  usage: USAGE,
  read,
  run: (wish) =>
    runWitness(wish, {
      tell: (line) => console.log(line),
      now: Date.now,
      stopped: new Promise((done) => {
        process.once('SIGINT', () => done()).once('SIGTERM', () => done());
      }),
    }),
});
