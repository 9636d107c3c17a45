import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import { runCommandLine, withExistingDatabase } from './command-line.ts';
import { readConfig, type Config } from '../config/config.ts';
import { copierOn } from '../platform/db/sql/copy-rows.ts';
import { acquireNamedLock } from '../platform/db/connection/hold-lock.ts';
import { withDedicatedConnections } from '../platform/db/connection/dedicated-connections.ts';
import { openNewestLog, type SealsPlace } from '../transparency/seal/open-newest-log.ts';
import { sealOnce, SEALS } from '../transparency/seal/run/run-sealing.ts';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { ensureSealKey, logName, verifierKey } from '../transparency/seal/seal-key.ts';
import { logsIn, readCheckpoint } from '../transparency/seal/seal-log.ts';
import { Sealer } from '../transparency/seal/run/sealer.ts';
import { readCosigned } from '../transparency/witness/co-sign.ts';
import { SEALS_COMMAND } from './commands-texts.ts';
import { auditToBegin } from '../transparency/transparency.ts';
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

async function placeOf(config: Config): Promise<SealsPlace> {
  const { signer } = await ensureSealKey(config);
  return { dir: config.sealDir, name: logName(signer.publicKey, config.sealName), signer };
}

async function show(config: Config): Promise<number> {
  const place = await placeOf(config);
  const nths = await logsIn(place.dir);
  if (nths.length === 0) console.log(SEALS_COMMAND.none(place.dir));
  for (const nth of nths) {
    const folder = join(place.dir, String(nth));
    console.log(formatNoteKey(verifierKey(originOf(place.name, nth), place.signer.publicKey)));
    console.log((await readCheckpoint(folder)) ?? SEALS_COMMAND.noCheckpoint);
    for (const { name, size, time, since } of await readCosigned(folder, config.sealWitnesses))
      console.log(SEALS_COMMAND.cosigned(name, size, timeText(time), timeText(since)));
  }
  return 0;
}

function timeText(seconds: number): string {
  return timeWords(new Date(seconds * 1_000), Intl.DateTimeFormat().resolvedOptions().timeZone);
}

const LOCK_WITHIN_MS = 10_000;

async function begin(config: Config, because: string): Promise<number> {
  const place = await placeOf(config);
  const unstopped = new AbortController().signal;
  await withExistingDatabase(config, { verb: 'seal', noun: 'Seal' }, async (address) => {
    // A server unable to seal takes the lock briefly every two seconds; a sealing one keeps it.
    const lock = await acquireNamedLock(address, SEALS, LOCK_WITHIN_MS);
    if (!lock) throw new Error(SEALS_COMMAND.sealing);
    try {
      const findings = await auditToBegin(config, address);
      console.log(SEALS_COMMAND.audited([...findings.found, ...findings.lost]));
      await withDedicatedConnections(address, 1, unstopped, async ([client]) => {
        const on = copierOn(client!);
        await on.query(TEXT_SETTINGS);
        const log = await openNewestLog(on, place, { because, ...findings });
        const { added } = await sealOnce(on, log, new Sealer(log, () => 0), lock.lost);
        console.log(SEALS_COMMAND.started(log.origin, added));
      });
    } finally {
      await lock.release();
    }
  });
  return 0;
}

if (import.meta.main)
  await runCommandLine<SealsWish>({
    usage: USAGE,
    read: readSealsWish,
    run: (wish) => (wish.what === 'show' ? show(readConfig()) : begin(readConfig(), wish.because)),
  });
