import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Team } from '../../platform/cluster/team.ts';
import { createFairQueue } from '../attempts/fair-queue.ts';

const derive = promisify(argon2);

/** Memory in KiB. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
}

/** Source: OWASP, argon2id: 19 MiB, two passes, one lane. */
const SAFE_COST: PasswordCost = { memory: 19_456, passes: 2 };
const PARALLELISM = 1;

/** Guessing gains nothing against 80 random bits. */
const RANDOM_COST: PasswordCost = { memory: 8, passes: 1 };

let cost = SAFE_COST;

/** Only tests may call this. A house rule keeps it out of serving code. */
export function setPasswordLimits(other: PasswordCost, waitMs: number): void {
  cost = other;
  lanes = openLanes(waitMs);
}
const TAG_BYTES = 32;

/** Imported hashes must not exhaust memory or time. */
const MOST_COST: PasswordCost = { memory: 65_536, passes: 4 };
const MOST_PARALLELISM = 4;

const WAIT_MS = 10_000;
/** One hash takes about 20 ms of a core. Strangers use half the cores at most. */
const FOR_STRANGERS = Math.max(1, Math.min(2, availableParallelism() >> 1));

const AT_ONCE = { stranger: FOR_STRANGERS, known: 1, session: 2 } as const;

/** A sign-in flood delays neither transfers nor known accounts. */
const openLanes = (waitMs: number) => ({
  /** Sign-ups, and sign-ins from unknown addresses. Keyed by address. */
  stranger: createFairQueue({ atOnce: AT_ONCE.stranger, waitMs, perKey: 50, total: 2_000 }),
  /** Sign-ins from known addresses. Keyed by account. */
  known: createFairQueue({ atOnce: AT_ONCE.known, waitMs, perKey: 50, total: 2_000 }),
  /** Prompts inside sessions. Keyed by account. */
  session: createFairQueue({ atOnce: AT_ONCE.session, waitMs, perKey: 100, total: 2_000 }),
});

let lanes = openLanes(WAIT_MS);

export interface Turn {
  readonly lane: keyof typeof AT_ONCE;
  readonly key: string;
}

let team: Team | undefined;

/** All processes together hash no more passwords at once than one alone. */
export function takeTurnsWith(others: Team): void {
  team = others;
}

export function inTurn<T>({ lane, key }: Turn, work: () => Promise<T>): Promise<T> {
  return lanes[lane].run(key, () => (team ? team.inPermit(`password ${lane}`, AT_ONCE[lane], work) : work()));
}

export function passwordsWaiting(): number {
  return Object.values(lanes).reduce((sum, lane) => sum + lane.waiting(), 0);
}

/** Takes server-made passwords of at least 80 random bits. Skips the queue: a thousand take a moment. */
export function hashRandomPassword(password: string): Promise<string> {
  return hashPassword(password, RANDOM_COST);
}

/** PHC format. Call {@link inTurn}. */
export async function hashPassword(password: string, { memory, passes }: PasswordCost = cost): Promise<string> {
  const nonce = randomBytes(16);
  const parallelism = PARALLELISM;
  const tag = await derive('argon2id', { message: password, nonce, tagLength: TAG_BYTES, memory, passes, parallelism });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{1,86})\$([A-Za-z0-9+/]{1,86})$/;

/** Call {@link inTurn}. Null or an empty hash takes equal time and returns false, so timing reveals no usernames. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const hash = stored === '' ? null : stored;
  const match = PHC.exec(hash ?? (await decoy()));
  if (!match) throw new Error('A stored password hash is not argon2id.');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  if (memory > MOST_COST.memory || passes > MOST_COST.passes || parallelism > MOST_PARALLELISM)
    throw new Error('A stored password hash has a higher cost than this server allows.');
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
