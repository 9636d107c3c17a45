import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import type { Config } from '../../config/config.ts';
import { pathsOf } from '../../platform/db/embedded/embedded-cluster.ts';
import { CommandFailed, readSeedKey, seedKeyPath } from '../../draws/seed/seeds.ts';
import { findSealKey } from '../../transparency/transparency.ts';
import type { Pinned } from '../../platform/settings/pinned-settings.ts';
import { fault, ok, warning, type Finding, type Subject } from './findings.ts';

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
    fault(of, `Every user of this machine can read or change ${what}: ${file}.`, `${todo} chmod 600 ${file}`),
  );
}

/** `pinned` only if the database is reachable. */
export async function checkSeedKey(config: Config, pinned: Pinned | undefined): Promise<Finding[]> {
  const { seedKeyFile, dataDir } = config;
  const isEmbedded = config.databaseUrl === undefined;
  const seedKey = await readSeedKey(config).catch((error: Error) => error);
  if (seedKey instanceof Error) {
    const { sentence, output } = seedKey instanceof CommandFailed ? seedKey : { sentence: seedKey.message, output: '' };
    const todo = 'The server does not start without it: see docs/manual/running.md, the seed key.';
    return [fault('seed key', sentence, todo, output === '' ? undefined : [output])];
  }
  if (!seedKey) {
    if (!pinned?.hasSeedKey) return [ok('seed key', `None yet: the first start creates one in ${dataDir}.`)];
    return [
      fault(
        'seed key',
        `It is missing: this database's seeds are encrypted with a key, but ${seedKeyPath(config)} does not exist.`,
        'Put the file back from your copy, or set SEED_KEY_FILE. Open draws can’t be finished without it, ' +
          'and a new key would be refused.',
      ),
    ];
  }
  const found: Finding[] = [];
  if (pinned?.hasSeedKey && !pinned.isSeedKey(seedKey.key))
    found.push(
      fault(
        'seed key',
        "It is not the key that encrypts this database's seeds.",
        'Set the right SEED_KEY, SEED_KEY_FILE or SEED_KEY_COMMAND, or put the original seed.key back. The ' +
          'server does not start with this one.',
      ),
    );
  const { SEED_KEY_IN_DATA_DIR: inDataDir, SEED_KEY_READABLE: open } = NOTICES;
  if (isEmbedded && seedKey.inDataDir !== undefined)
    found.push(warning('seed key', `${inDataDir.title}: ${seedKey.inDataDir}.`, inDataDir.text));
  const files = [...new Set([seedKeyFile, seedKey.inDataDir].flatMap((file) => file ?? []))];
  found.push(...(await openFiles('seed key', files, 'the seed key', open.text)));
  return found.length > 0 ? found : [ok('seed key', 'The seed key is correct and is stored apart from the database.')];
}

/** `isNeeded`: the database mentions seals. */
export async function checkSealKey(config: Config, isNeeded: boolean): Promise<Finding[]> {
  const { sealKey, sealKeyFile, dataDir } = config;
  const file = sealKeyFile ?? join(dataDir, 'seal.key');
  const known = await findSealKey(config).catch((error: Error) => error);
  if (known instanceof Error)
    return [fault('seal key', known.message, 'The server does not start without it: see docs/seals.md.')];
  if (!known && isNeeded)
    return [
      fault(
        'seal key',
        `It is missing: there are seals, but ${file} does not exist.`,
        'Put the file back from your copy, or set SEAL_KEY_FILE. A new key needs a new log: npm run seals -- --help',
      ),
    ];
  if (!known) return [ok('seal key', `None yet: the first start creates one in ${dataDir}.`)];
  if (sealKey !== undefined) return [ok('seal key', 'It is set in SEAL_KEY.')];
  const found = await openFiles(
    'seal key',
    [file],
    'the key that signs the seals',
    'Anyone who has it can sign a forged history.',
  );
  if (sealKeyFile === undefined && config.databaseUrl === undefined)
    found.push(
      warning(
        'seal key',
        `It is stored beside the database: ${file}.`,
        'Anyone who copies the data folder can sign a forged history. Move the key to a file of another user ' +
          'or a mounted secret, and start the server with SEAL_KEY_FILE set to its path.',
      ),
    );
  return found.length > 0 ? found : [ok('seal key', `It is stored in ${file}.`)];
}

export async function checkSecretFiles({ databaseUrl, dataDir, backupTransfer }: Config): Promise<Finding[]> {
  const { password, serverPassword } = pathsOf(dataDir);
  const passwords = databaseUrl === undefined ? [password, serverPassword] : [];
  const keyFile = backupTransfer?.kind === 'sftp' ? backupTransfer.keyFile : undefined;
  return [
    ...(await openFiles('postgresql', passwords, 'a database password', 'Allow only the server to read it.')),
    ...(await openFiles(
      'backups',
      keyFile === undefined ? [] : [keyFile],
      'the private key for sending backups',
      'Allow only the server to read it.',
    )),
  ];
}
