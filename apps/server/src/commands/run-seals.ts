import { parseArgs } from 'node:util';
import { runCommandLine, withExistingDatabase } from './command-line.ts';
import { readConfig, type Config } from '../config/config.ts';
import { SEALS_COMMAND } from './commands-texts.ts';
import { beginLog, readLogs } from '../transparency/transparency.ts';
import { timeWords } from '../protection/protection-texts.ts';

const USAGE = `Usage: npm run seals
       npm run seals -- begin --because REASON

  show       the default: prints the logs in SEAL_DIR, their keys and checkpoints, and what witnesses have co-signed
  begin      audits the log against the database once more, then starts a new one, which names the previous one, the
             reason and the findings, and seals everything in the database. Use it only if the files of the seals are
             lost or older than the database knows: sealing then stops until you do. Putting the files back is better,
             if you can.

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

export type SealsWish = { readonly what: 'show' } | { readonly what: 'begin'; readonly because: string };

export function readSealsWish(args: readonly string[]): SealsWish {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { because: { type: 'string' } },
  });
  const [what = 'show', ...more] = positionals;
  if (more.length > 0 || (what !== 'show' && what !== 'begin')) throw new Error(SEALS_COMMAND.choose);
  const because = values.because?.trim();
  if (what === 'show') {
    if (because !== undefined) throw new Error(SEALS_COMMAND.onlyBegin);
    return { what };
  }
  if (!because) throw new Error(SEALS_COMMAND.reasonMissing);
  return { what, because };
}

async function show(config: Config): Promise<number> {
  const logs = await readLogs(config);
  if (logs.length === 0) console.log(SEALS_COMMAND.none(config.sealDir));
  for (const { key, checkpoint, cosigned } of logs) {
    console.log(key);
    console.log(checkpoint ?? SEALS_COMMAND.noCheckpoint);
    for (const { name, size, time, since } of cosigned)
      console.log(SEALS_COMMAND.cosigned(name, size, timeText(time), timeText(since)));
  }
  return 0;
}

function timeText(seconds: number): string {
  return timeWords(new Date(seconds * 1_000), Intl.DateTimeFormat().resolvedOptions().timeZone);
}

async function begin(config: Config, because: string): Promise<number> {
  await withExistingDatabase(config, { verb: 'seal', noun: 'Seal' }, async (address) => {
    const log = await beginLog(config, address, {
      because,
      audited: ({ found, lost }) => console.log(SEALS_COMMAND.audited([...found, ...lost])),
    });
    if (!log) throw new Error(SEALS_COMMAND.sealing);
    console.log(SEALS_COMMAND.started(log.origin, log.added));
  });
  return 0;
}

if (import.meta.main)
  await runCommandLine<SealsWish>({
    usage: USAGE,
    read: readSealsWish,
    run: (wish) => (wish.what === 'show' ? show(readConfig()) : begin(readConfig(), wish.because)),
  });
