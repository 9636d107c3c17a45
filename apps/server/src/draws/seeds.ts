import { execFile } from 'node:child_process';
import type { ExecFileException } from 'node:child_process';
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { writeSecret } from '../db/secret-file.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES_AT_ONCE = 64;
/** A secret store answers sooner, or not at all. */
const COMMAND_MS = 30_000;
const COMMAND_BYTES = 4_096;
/** So much is told of what a command says when it fails. */
const SAID_CHARACTERS = 500;

/** What a sealed seed is bound to: it is of no use to another draw, nor to a copy of its own that closes at another time. */
export interface SealedFor {
  readonly id: string;
  /** When betting on the draw closes by the schedule, which never changes. */
  readonly closes_at: Date;
}

/** Keeps the seeds of unfinished draws from whoever reads the database, and with {@link isBeforeClose} from whoever writes to it. */
export interface SeedVault {
  /** AES-256-GCM with the draw's id and close bound to it. */
  seal(seed: Buffer, draw: SealedFor): Buffer;
  /** Throws if the key is another one, the text was changed, or it was sealed for another draw or close. */
  unseal(sealed: Buffer, draw: SealedFor): Buffer;
}

/** The associated data of a sealed seed. */
const boundTo = ({ id, closes_at: closesAt }: SealedFor): Buffer => Buffer.from(`${id}|${closesAt.getTime()}`);

/** A vault with a key of 64 hex digits. */
export function createSeedVault(keyHex: string): SeedVault {
  // As an object: from bytes it would be made anew for each seed.
  const key = createSecretKey(keyHex, 'hex');
  // Random bytes for many nonces at once: each call for some takes as long as a kilobyte does.
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
 * Whether a draw has not come to its close. What the server does by itself unseals no seed then: the row may be another's work, and whoever
 * writes to the database would foresee the draw. With another close in the row its seed can't be unsealed at all.
 */
export function isBeforeClose({ closes_at: closesAt }: Pick<SealedFor, 'closes_at'>, now: Date): boolean {
  return closesAt > now;
}

/** A draw's seed as the database has it until the draw is finished. */
interface SealedSeed extends SealedFor {
  readonly sealed_seed: Buffer | null;
  readonly commitment: Buffer;
}

/** The seed of a draw that is not finished; undefined where it can't be unsealed, or is not the one that was committed to. */
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

/** Where the settings keep the key. */
interface KeySettings {
  readonly seedKey: string | undefined;
  readonly seedKeyFile: string | undefined;
  /** A program and its arguments. */
  readonly seedKeyCommand: readonly string[] | undefined;
  readonly dataDir: string;
}

/** The key, and what an operator ought to know of where it lies. */
export interface KeptSeedKey {
  readonly key: string;
  /** The file below the data folder that holds it: whoever copies that folder with the database in it foresees open draws. */
  readonly inDataDir: string | undefined;
  /** The file of `SEED_KEY_FILE`, where every user of the machine may read it. */
  readonly readableByAll: string | undefined;
}

/**
 * The key from the settings, the file or the command that they name, or the one kept in the data folder, made there at the first start. Throws a
 * sentence when a file can't be read, a command fails or is not done after `commandMs`, or neither gives a key.
 */
export async function ensureSeedKey(settings: KeySettings, commandMs = COMMAND_MS): Promise<KeptSeedKey> {
  const known = await knownSeedKey(settings, commandMs);
  if (known) return known;
  const [file, key] = [ownFileOf(settings), randomBytes(KEY_BYTES).toString('hex')];
  await writeSecret(file, key);
  return { key, inDataDir: file, readableByAll: undefined };
}

/** The file in the data folder that has the key where no setting says otherwise. */
export function ownFileOf({ dataDir }: Pick<KeySettings, 'dataDir'>): string {
  return join(dataDir, 'seed.key');
}

/** The same key where there is one already; none is made. Throws likewise. */
export async function knownSeedKey(
  { seedKey, seedKeyFile, seedKeyCommand, dataDir }: KeySettings,
  commandMs = COMMAND_MS,
): Promise<KeptSeedKey | undefined> {
  const isGiven = seedKey !== undefined || seedKeyFile !== undefined || seedKeyCommand !== undefined;
  const ownFile = ownFileOf({ dataDir });
  const own = await readKey(ownFile, 'Put back the file that was there.').catch((error: NodeJS.ErrnoException) => {
    // Where the settings give the key, the file here is looked at only to see whether it is the same one.
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

/** Why `SEED_KEY_COMMAND` gives no key. */
export class CommandFailed extends Error {
  /** The same without what the command said, which may be anything. */
  readonly sentence: string;
  /** What it said, for whoever runs the server and nobody else; empty where it said nothing. */
  readonly said: string;

  constructor(sentence: string, said: string) {
    const told = said.slice(0, SAID_CHARACTERS);
    super(`${sentence} ${told}`.trim());
    this.sentence = sentence;
    this.said = told;
  }
}

/** The key that a command prints. What it prints is told nobody, whatever it is; what it says beside that is. */
function keyOfCommand([program, ...args]: readonly string[], timeoutMs: number): Promise<string> {
  return new Promise((done, fail) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: COMMAND_BYTES } as const;
    const child = execFile(program!, args, limits, (error, printed, said) => {
      const key = printed.trim();
      const problem = error
        ? failureOf(error, timeoutMs)
        : isKey(key)
          ? undefined
          : 'it must print 64 hex digits and nothing else.';
      if (problem === undefined) done(key);
      else fail(new CommandFailed(`SEED_KEY_COMMAND (${program!}) gives no key: ${problem}`, said.trim()));
    });
    // Nobody is there to answer it.
    child.stdin?.end();
  });
}

function failureOf({ code, killed, signal, message }: ExecFileException, timeoutMs: number): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `it prints more than ${COMMAND_BYTES} bytes.`;
  if (killed === true) return `it was not done after ${timeoutMs / 1_000} seconds.`;
  if (typeof code === 'number') return `it ended with ${code}.`;
  return signal ? `it was ended by ${signal}.` : message;
}

const isKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text);

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith('..') && !isAbsolute(path);
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readKey(file, 'SEED_KEY_FILE names it.');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`SEED_KEY_FILE can't be read: ${message}`);
  }
}

async function readKey(file: string, hint: string): Promise<string> {
  const key = (await readFile(file, 'utf8')).trim();
  if (!isKey(key)) throw new Error(`${file} must hold 64 hex digits. ${hint}`);
  return key;
}

async function isReadableByAll(file: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(file)).mode & 0o004) !== 0;
}
