import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES } from '@drawhouse/contract/notices/notices';
import type { Config } from '../../config/config.ts';
import { pathsOf } from '../../platform/db/embedded/embedded-cluster.ts';
import { CommandFailed, knownSeedKey, ownFileOf } from '../../draws/seed/seeds.ts';
import { knownSealKey } from '../../transparency/seal/seal-key.ts';
import type { Pinned } from '../../platform/settings/pinned-settings.ts';
import { fault, ok, warning } from './findings.ts';
import type { Finding, Subject } from './findings.ts';

/** Permission bits for others. */
const FOR_OTHERS = 0o006;

/** False if missing, or on systems without such permissions. */
async function isForAll(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.mode & FOR_OTHERS) !== 0;
}

async function openFiles(of: Subject, files: readonly string[], what: string, todo: string): Promise<Finding[]> {
  const open = (await Promise.all(files.map(async (file) => ((await isForAll(file)) ? [file] : [])))).flat();
  return open.map((file) =>
    fault(of, `Every user of the machine can read or change ${what}: ${file}.`, `${todo} chmod 600 ${file}`),
  );
}

/** `pinned` only if the database is reachable. */
export async function checkSeedKey(config: Config, pinned: Pinned | undefined): Promise<Finding[]> {
  const { seedKeyFile, dataDir } = config;
  const isEmbedded = config.databaseUrl === undefined;
  const known = await knownSeedKey(config).catch((error: Error) => error);
  if (known instanceof Error) {
    const { sentence, said } = known instanceof CommandFailed ? known : { sentence: known.message, said: '' };
    const todo = 'The server does not start without it: see docs/manual/running.md, the seed key.';
    return [fault('seed key', sentence, todo, said === '' ? undefined : [said])];
  }
  if (!known) {
    if (!pinned?.hasSeedKey) return [ok('seed key', `None yet: the first start makes one in ${dataDir}.`)];
    return [
      fault(
        'seed key',
        `It is gone: the seeds of this database are sealed with a key, and ${ownFileOf(config)} is not there.`,
        'Put the file back from your copy, or set SEED_KEY_FILE. Without it open draws can’t be finished; a new one would be refused.',
      ),
    ];
  }
  const found: Finding[] = [];
  if (pinned?.hasSeedKey && !pinned.isSeedKey(known.key))
    found.push(
      fault(
        'seed key',
        'It is another one than that by which the seeds of this database are sealed.',
        'Give the right SEED_KEY, SEED_KEY_FILE or SEED_KEY_COMMAND, or put back the seed.key that it began with. The server does not start with this one.',
      ),
    );
  const { SEED_KEY_IN_DATA_DIR: beside, SEED_KEY_READABLE: open } = NOTICES;
  if (isEmbedded && known.inDataDir !== undefined)
    found.push(warning('seed key', `${beside.title}: ${known.inDataDir}.`, beside.text));
  const files = [...new Set([seedKeyFile, known.inDataDir].flatMap((file) => file ?? []))];
  found.push(...(await openFiles('seed key', files, 'the key of the seeds', open.text)));
  return found.length > 0 ? found : [ok('seed key', 'It is the one of this database, and lies apart from it.')];
}

/** `isNeeded`: the database mentions seals. */
export async function checkSealKey(config: Config, isNeeded: boolean): Promise<Finding[]> {
  const { sealKey, sealKeyFile, dataDir } = config;
  const file = sealKeyFile ?? join(dataDir, 'seal.key');
  const known = await knownSealKey(config).catch((error: Error) => error);
  if (known instanceof Error)
    return [fault('seal key', known.message, 'The server does not start without it: see docs/seals.md.')];
  if (!known && isNeeded)
    return [
      fault(
        'seal key',
        `It is gone: there are seals, and ${file} is not there.`,
        'Put the file back from your copy, or set SEAL_KEY_FILE. With a new key a new log has to be begun: npm run seals -- --help',
      ),
    ];
  if (!known) return [ok('seal key', `None yet: the first start makes one in ${dataDir}.`)];
  if (sealKey !== undefined) return [ok('seal key', 'It is given by SEAL_KEY.')];
  const found = await openFiles(
    'seal key',
    [file],
    'the key that signs the seals',
    'Whoever has it can sign a history that nobody recorded.',
  );
  if (sealKeyFile === undefined && config.databaseUrl === undefined)
    found.push(
      warning(
        'seal key',
        `It lies beside the database: ${file}.`,
        'Whoever copies the data folder can sign a history that nobody recorded. Move it out, to a file of another user or a mounted secret, and start the server with SEAL_KEY_FILE set to its path.',
      ),
    );
  return found.length > 0 ? found : [ok('seal key', `It lies in ${file}.`)];
}

export async function checkSecretFiles({ databaseUrl, dataDir, backupTransfer }: Config): Promise<Finding[]> {
  const { password, serverPassword } = pathsOf(dataDir);
  const passwords = databaseUrl === undefined ? [password, serverPassword] : [];
  const keyFile = backupTransfer?.kind === 'sftp' ? backupTransfer.keyFile : undefined;
  return [
    ...(await openFiles('postgresql', passwords, 'a password of the database', 'Let the server alone read it.')),
    ...(await openFiles(
      'backups',
      keyFile === undefined ? [] : [keyFile],
      'the private key by which backups are sent',
      'Let the server alone read it.',
    )),
  ];
}
