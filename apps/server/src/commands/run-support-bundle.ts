import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { callerFile } from '../config/caller-file.ts';
import { systemClock } from '../platform/time/clock.ts';
import { runCommandLine } from './command-line.ts';
import { environment } from '../config/config.ts';
import { readSettings } from '../operations/doctor/check-settings.ts';
import { readBundle, writeBundle } from '../operations/support/write-bundle.ts';
import { VERSION } from '../config/version.ts';

const USAGE = `Usage: npm run support-bundle -- [FILE]

  Writes one zip for whoever helps: versions, settings without secrets, what npm run doctor finds, figures of the database, and the newest lines of
  the server's log and the embedded PostgreSQL's. There is nothing in it of players, no name of an account, and no credit. Without FILE it is
  drawhouse-support-TIME.zip in DATA_DIR.

Run it as the user, and with the settings, of the server. It ends with 0 where the file was written, with 1 where it was not, and with 2 where it was not
understood.`;

function readBundleWish(args: readonly string[]): { readonly file: string | undefined } | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return 'help';
  if (positionals.length > 1) throw new Error('Name one file at most.');
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
  console.log(`${to}\nIt holds ${Object.keys(files).join(', ')}. Look through it before you give it away.`);
  return 0;
}

function whyNotWritten({ code, message }: NodeJS.ErrnoException, file: string): string {
  const elsewhere = 'Name a FILE in a folder that is there, and where this user may write.';
  if (code === 'EEXIST') return `${file} is there already. Name another FILE.`;
  if (code === 'ENOENT') return `There is no folder ${dirname(file)}. ${elsewhere}`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `This user may not write in ${dirname(file)}. ${elsewhere}`;
  return `${file} could not be written: ${message}`;
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: readBundleWish, run });
