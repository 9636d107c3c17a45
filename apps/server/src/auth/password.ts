import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { CallError } from '../http/errors.ts';

const derive = promisify(argon2);

/** OWASP's argon2id settings: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
/** One computation takes about 20 ms of one core; more at once would only starve everything else. */
const AT_ONCE = 2;
const QUEUE_MAX = 200;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs one hash computation when there is room. Throws NOT_READY when too many already wait. */
async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE_MAX) throw new CallError('NOT_READY');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await compute();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The argon2id hash of a password in the PHC string format, with a random salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn(() => derive('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...COST }));
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether the password has this hash. With `null` it takes as long and answers no, so that an unknown name can't be told by time. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const match = PHC.exec(hash ?? (await decoy()));
  if (!match) throw new Error('A stored password hash is not argon2id.');
  const tag = Buffer.from(match[5]!, 'base64');
  const computed = await inTurn(() =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(match[4]!, 'base64'),
      tagLength: tag.length,
      memory: Number(match[1]),
      passes: Number(match[2]),
      parallelism: Number(match[3]),
    }),
  );
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
