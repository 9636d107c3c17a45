import { execFile, type ExecFileException } from 'node:child_process';
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { writeSecret } from '../../platform/db/embedded/durable-file.ts';
import type { Database } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { requireSameSeedKey } from '../../platform/settings/pinned-settings.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES_AT_ONCE = 64;
/** Secret stores answer sooner or never. */
const COMMAND_MS = 30_000;
const COMMAND_BYTES = 4_096;
const OUTPUT_CHARACTERS = 500;

/** Makes a sealed seed useless for another draw or a copy with an earlier close. */
export interface SealedFor {
  readonly id: string;
  readonly closes_at: Date;
}

/** Protects seeds of unfinished draws from database readers and, with {@link isBeforeClose}, from writers. */
export interface SeedVault {
  /** AES-256-GCM; draw id and close are associated data. */
  seal(seed: Buffer, draw: SealedFor): Buffer;
  /** Throws on a wrong key, altered text, or a different draw or close. */
  unseal(sealed: Buffer, draw: SealedFor): Buffer;
}

const boundTo = ({ id, closes_at: closesAt }: SealedFor): Buffer => Buffer.from(`${id}|${closesAt.getTime()}`);

export function createSeedVault(keyHex: string): SeedVault {
  // Raw bytes would be imported again per seed.
  const key = createSecretKey(keyHex, 'hex');
  let nonces = Buffer.alloc(0);
  const nextNonce = (): Buffer => {
    if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * NONCES_AT_ONCE);
    const nonce = nonces.subarray(0, NONCE_BYTES);
    nonces = nonces.subarray(NONCE_BYTES);
    return nonce;
  };
  return {
    seal(seed, draw) {
      const nonce = nextNonce();
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(draw));
      const sealed = Buffer.concat([cipher.update(seed), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    unseal(sealed, draw) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(boundTo(draw))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

/**
 * Never unseal before the close: a database writer may have forged the row to foresee the draw. A forged close makes
 * the seed unreadable.
 */
export function isBeforeClose({ closes_at: closesAt }: Pick<SealedFor, 'closes_at'>, now: Date): boolean {
  return closesAt > now;
}

interface SealedSeed extends SealedFor {
  readonly sealed_seed: Buffer | null;
  readonly commitment: Buffer;
}

export function readSeed(vault: SeedVault, draw: SealedSeed): Buffer | undefined {
  const { sealed_seed, commitment } = draw;
  if (!sealed_seed) return undefined;
  try {
    const seed = vault.unseal(sealed_seed, draw);
    return createHash('sha256').update(seed).digest().equals(commitment) ? seed : undefined;
  } catch {
    return undefined;
  }
}

interface KeySettings {
  readonly seedKey: string | undefined;
  readonly seedKeyFile: string | undefined;
  readonly seedKeyCommand: readonly string[] | undefined;
  readonly dataDir: string;
}

export interface SeedKeyLocation {
  readonly key: string;
  /** A copy of this folder with the database reveals open draws. */
  readonly inDataDir: string | undefined;
  /** `SEED_KEY_FILE`, if readable by every user of the machine. */
  readonly readableByAll: string | undefined;
}

/** Reads the key from settings, file or command, else from the data folder, where the first start creates it. */
export async function loadOrCreateSeedKey(settings: KeySettings, commandMs = COMMAND_MS): Promise<SeedKeyLocation> {
  const existing = await readSeedKey(settings, commandMs);
  if (existing) return existing;
  const [file, key] = [seedKeyPath(settings), randomBytes(KEY_BYTES).toString('hex')];
  await writeSecret(file, key);
  return { key, inDataDir: file, readableByAll: undefined };
}

/** For commands, whose database already has a key: a new one would hide that the right one is missing. */
export async function requireSeedKey(db: Database, settings: KeySettings): Promise<string> {
  const location = await readSeedKey(settings);
  if (!location)
    throw new Error(
      `${seedKeyPath(settings)} does not exist. Set SEED_KEY, SEED_KEY_FILE or SEED_KEY_COMMAND, or put the original file back.`,
    );
  await requireSameSeedKey(db, location.key);
  return location.key;
}

export function seedKeyPath({ dataDir }: Pick<KeySettings, 'dataDir'>): string {
  return join(dataDir, 'seed.key');
}

export async function readSeedKey(
  { seedKey, seedKeyFile, seedKeyCommand, dataDir }: KeySettings,
  commandMs = COMMAND_MS,
): Promise<SeedKeyLocation | undefined> {
  const isGiven = seedKey !== undefined || seedKeyFile !== undefined || seedKeyCommand !== undefined;
  const ownFile = seedKeyPath({ dataDir });
  const own = await readKey(ownFile, 'Put the original file back.').catch((error: NodeJS.ErrnoException) => {
    // With a key from settings, this file only serves comparison.
    if (error.code === 'ENOENT' || isGiven) return undefined;
    throw error;
  });
  if (!isGiven) return own === undefined ? undefined : { key: own, inDataDir: ownFile, readableByAll: undefined };
  const key =
    seedKey ?? (seedKeyCommand ? await keyOfCommand(seedKeyCommand, commandMs) : await readNamed(seedKeyFile!));
  const isBelow = seedKeyFile !== undefined && isInside(seedKeyFile, dataDir);
  return {
    key,
    inDataDir: isBelow ? seedKeyFile : own?.toLowerCase() === key.toLowerCase() ? ownFile : undefined,
    readableByAll: seedKeyFile !== undefined && (await isReadableByAll(seedKeyFile)) ? seedKeyFile : undefined,
  };
}

export class CommandFailed extends Error {
  /** Leaves out the command's output, which may be anything. */
  readonly sentence: string;
  readonly output: string;

  constructor(sentence: string, output: string) {
    const excerpt = output.slice(0, OUTPUT_CHARACTERS);
    super(`${sentence} ${excerpt}`.trim());
    this.sentence = sentence;
    this.output = excerpt;
  }
}

function keyOfCommand([program, ...args]: readonly string[], timeoutMs: number): Promise<string> {
  return new Promise((done, fail) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: COMMAND_BYTES } as const;
    const child = execFile(program!, args, limits, (error, printed, errorOutput) => {
      const key = printed.trim();
      const problem = error
        ? failureOf(error, timeoutMs)
        : isKey(key)
          ? undefined
          : 'it must print 64 hex digits and nothing else.';
      if (problem === undefined) done(key);
      else fail(new CommandFailed(`SEED_KEY_COMMAND (${program!}) returned no key: ${problem}`, errorOutput.trim()));
    });
    // Makes prompts fail.
    child.stdin?.end();
  });
}

function failureOf({ code, killed, signal, message }: ExecFileException, timeoutMs: number): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `it prints more than ${COMMAND_BYTES} bytes.`;
  if (killed === true) return `it did not finish within ${timeoutMs / 1_000} seconds.`;
  if (typeof code === 'number') return `it exited with code ${code}.`;
  return signal ? `it was killed by ${signal}.` : message;
}

const isKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text);

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith('..') && !isAbsolute(path);
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readKey(file, 'It is set in SEED_KEY_FILE.');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`SEED_KEY_FILE can't be read: ${message}`);
  }
}

async function readKey(file: string, hint: string): Promise<string> {
  const key = (await readFile(file, 'utf8')).trim();
  if (!isKey(key)) throw new Error(`${file} must contain 64 hex digits. ${hint}`);
  return key;
}

async function isReadableByAll(file: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(file)).mode & 0o004) !== 0;
}

/**
 * Reseals unfinished draws under the key of the cell that the network moves to. Throws if a seed does not match its
 * commitment.
 */
export async function resealSeeds(db: Database, networkId: number, from: SeedVault, to: SeedVault): Promise<void> {
  const draws = await db.query<{ id: string; closes_at: Date; sealed_seed: Buffer; commitment: Buffer }>(
    sql`select id, closes_at, sealed_seed, commitment from draws where network_id = ${networkId} and sealed_seed is not null`,
  );
  const sealed = draws.map((draw) => {
    const seed = readSeed(from, draw);
    if (!seed) throw new Error(`The seed of the draw ${draw.id} can’t be read.`);
    return to.seal(seed, draw);
  });
  await db.query(
    sql`update draws d set sealed_seed = s.sealed_seed
      from unnest(${draws.map(({ id }) => id)}::uuid[], ${sealed}::bytea[]) as s (id, sealed_seed)
      where d.network_id = ${networkId} and d.id = s.id`,
  );
}
