import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createFairQueue } from './fair-queue.ts';

const derive = promisify(argon2);

/** What one computation takes: memory in KiB, and how often it is gone through. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's argon2id settings: 19 MiB, two passes, one lane. */
const SAFE_COST: PasswordCost = { memory: 19_456, passes: 2 };
const PARALLELISM = 1;

/** For passwords of 80 random bits or more, which no computer guesses however cheap a guess is. */
const RANDOM_COST: PasswordCost = { memory: 8, passes: 1 };

let cost = SAFE_COST;

/**
 * Hashes from now on at another cost, for tests, which would else spend their time on it. No setting reaches this, and a house rule
 * keeps it out of what serves.
 */
export function hashAtCost(other: PasswordCost): void {
  cost = other;
}
const TAG_BYTES = 32;

/** What a stored hash may cost at most: one that came from elsewhere takes neither all memory nor hours. */
const MOST_COST: PasswordCost = { memory: 65_536, passes: 4 };
const MOST_PARALLELISM = 4;

/** How long a password waits to be checked or made before the caller is told to come back, in milliseconds. */
const WAIT_MS = 10_000;
/** One computation takes about 20 ms of one core. Strangers get one of two cores at most, so that a flood of theirs leaves one. */
const FOR_STRANGERS = Math.max(1, Math.min(2, availableParallelism() >> 1));

/** Each has a queue of its own: a flood of sign-ins neither delays a transfer, nor who signs in from where it always does. */
const LANES = {
  /** Sign-ins from where the account has not signed in before, and sign-ups; by address. */
  stranger: createFairQueue({ atOnce: FOR_STRANGERS, waitMs: WAIT_MS, perKey: 50, total: 2_000 }),
  /** Sign-ins from where the account has signed in before; by account. */
  known: createFairQueue({ atOnce: 1, waitMs: WAIT_MS, perKey: 50, total: 2_000 }),
  /** What a session asks for; by account. */
  session: createFairQueue({ atOnce: 2, waitMs: WAIT_MS, perKey: 100, total: 2_000 }),
};

/** Whose turn it is to hash: the lane, and for whom in it. */
export interface Turn {
  readonly lane: keyof typeof LANES;
  readonly key: string;
}

/** Runs what hashes a password when it is its turn. Throws NOT_READY, with the seconds to wait, when that takes too long. */
export function inTurn<T>({ lane, key }: Turn, work: () => Promise<T>): Promise<T> {
  return LANES[lane].run(key, work);
}

/** How many passwords wait to be hashed, of all lanes together. */
export function passwordsWaiting(): number {
  return Object.values(LANES).reduce((sum, lane) => sum + lane.waiting(), 0);
}

/** The hash of a password that the server has made at random, of 80 bits or more: a thousand take a moment, and need no turn. */
export function hashRandomPassword(password: string): Promise<string> {
  return hashPassword(password, RANDOM_COST);
}

/** The argon2id hash of a password in the PHC string format, with a random salt. Called {@link inTurn}. */
export async function hashPassword(password: string, { memory, passes }: PasswordCost = cost): Promise<string> {
  const nonce = randomBytes(16);
  const parallelism = PARALLELISM;
  const tag = await derive('argon2id', { message: password, nonce, tagLength: TAG_BYTES, memory, passes, parallelism });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{1,86})\$([A-Za-z0-9+/]{1,86})$/;

/**
 * Whether the password has this hash; called {@link inTurn}. With `null`, or the empty hash of an account that has no password, it takes as long and answers no, so that
 * an unknown name can't be told by time.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const hash = stored === '' ? null : stored;
  const match = PHC.exec(hash ?? (await decoy()));
  if (!match) throw new Error('A stored password hash is not argon2id.');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  if (memory > MOST_COST.memory || passes > MOST_COST.passes || parallelism > MOST_PARALLELISM)
    throw new Error('A stored password hash costs more than any that is made here.');
  const tag = Buffer.from(match[5]!, 'base64');
  const computed = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(match[4]!, 'base64'),
    tagLength: tag.length,
    memory,
    passes,
    parallelism,
  });
  return timingSafeEqual(computed, tag) && hash !== null;
}

let decoyHash: Promise<string> | undefined;

function decoy(): Promise<string> {
  decoyHash ??= hashPassword(randomBytes(16).toString('hex'));
  return decoyHash;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
