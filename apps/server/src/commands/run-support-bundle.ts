import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { callerFile, runCommandLine } from './command-line.ts';
import { systemClock } from '../platform/time/clock.ts';
import { environment, VERSION } from '../config/config.ts';
import { readSettings } from '../operations/doctor/surroundings.ts';
import { readBundle, writeBundle } from '../operations/support/write-bundle.ts';
import { SUPPORT_COMMAND } from './commands-texts.ts';

const USAGE = `Usage: npm run support-bundle -- [FILE]

  Writes one zip for support: versions, settings without secrets, the findings of npm run doctor, database figures, and the newest lines of
  the server's log and the embedded PostgreSQL's. It contains no players, no account names and no credit. By default FILE is
  drawhouse-support-TIME.zip in DATA_DIR.

Run it as the server's user and with the server's settings. Exit codes: 0 the file was written, 1 it was not, 2 wrong usage.`;

function readBundleWish(args: readonly string[]): { readonly file: string | undefined } {
  const { positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new Error(SUPPORT_COMMAND.oneFile);
  return { file: positionals[0] };
}

async function run({ file }: { readonly file: string | undefined }): Promise<number> {
  const at = systemClock.now();
  const env = environment();
  const name = `drawhouse-support-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.zip`;
  const to = file === undefined ? join(readSettings(env).config.dataDir, name) : callerFile(file);
  const files = await readBundle({ env, clock: systemClock, version: VERSION });
  await writeBundle(to, files, at).catch((error: NodeJS.ErrnoException) => {
    throw new Error(whyNotWritten(error, to), { cause: error });
  });
  console.log(SUPPORT_COMMAND.written(to, Object.keys(files).join(', ')));
  return 0;
}

function whyNotWritten({ code, message }: NodeJS.ErrnoException, file: string): string {
  const elsewhere = SUPPORT_COMMAND.elsewhere;
  if (code === 'EEXIST') return SUPPORT_COMMAND.exists(file);
  if (code === 'ENOENT') return SUPPORT_COMMAND.noFolder(dirname(file), elsewhere);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return SUPPORT_COMMAND.notWritable(dirname(file), elsewhere);
  return SUPPORT_COMMAND.notWritten(file, message);
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: readBundleWish, run });
