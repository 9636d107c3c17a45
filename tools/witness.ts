/**
 * Runs a witness of a server's seals, on another machine or by another party. Cosigns consistent checkpoints; refuses
 * others and stores both signed notes. See docs/manual/witness.md.
 *
 *   npm run witness -- --of https://host --key VKEY [--dir FOLDER] [--name NAME]
 */
import { parseArgs } from 'node:util';
import { runCommandLine } from '../apps/server/src/commands/command-line.ts';
import { runWitness, type WitnessWish } from './witness/run-witness.ts';
import { readWitnessedLog } from './witness/witnessed-log.ts';

/** Less than the three seconds between a close and the round of its beacons. */
const DEFAULT_EVERY_SECONDS = 1;
const MOST_EVERY_SECONDS = 3_600;
const MS = 1_000;

const USAGE = `Usage: npm run witness -- --of ADDRESS --key KEY [options]

Watches the seals of a server: keeps the last checkpoint it saw, co-signs checkpoints that extend it, and refuses all others, with
both signed notes as evidence. Run it on another machine than the server, or have another party run it. It needs no
database.

  --of ADDRESS      address of the server, such as https://example.org
  --key KEY         the line that ADDRESS/seals/key answers: get it by another way than from the server itself. It names
                    the log to watch; give the line of a newer log once you know why it was started
  --dir FOLDER      its folder: key, last checkpoints, evidence; by default witness. Never put an older
                    copy back: a witness must not forget.
  --name NAME       its name in co-signatures, set at the first start; by default witness- and 8 digits of its key
  --every SECONDS   how often it checks; by default ${DEFAULT_EVERY_SECONDS}
  --once            checks once and exits: 0 all is well, 1 not known, 3 evidence of violations

It exits with 3 while its folder contains evidence, including older evidence.`;

function read(args: readonly string[]): WitnessWish {
  const { values } = parseArgs({
    args: [...args],
    options: {
      of: { type: 'string' },
      key: { type: 'string' },
      dir: { type: 'string', default: 'witness' },
      name: { type: 'string' },
      every: { type: 'string', default: String(DEFAULT_EVERY_SECONDS) },
      once: { type: 'boolean', default: false },
    },
  });
  const { of, key, dir, name, once } = values;
  if (of === undefined || !/^https?:\/\/[^/]+\/?$/.test(of))
    throw new Error('--of must be the address of the server, such as https://example.org.');
  if (key === undefined) throw new Error('--key is missing: the line that the server answers at /seals/key.');
  readWitnessedLog(key);
  const everySeconds = Number(/^\d{1,4}$/.exec(values.every)?.[0]);
  if (!(everySeconds >= 1 && everySeconds <= MOST_EVERY_SECONDS))
    throw new Error(`--every must be a whole number from 1 to ${MOST_EVERY_SECONDS}.`);
  return { of, key, dir, name, once, everyMs: everySeconds * MS };
}

await runCommandLine<WitnessWish>({
  usage: USAGE,
  read,
  run: (wish) =>
    runWitness(wish, {
      print: (line) => console.log(line),
      now: Date.now,
      stopped: new Promise((done) => {
        process.once('SIGINT', () => done()).once('SIGTERM', () => done());
      }),
    }),
});
