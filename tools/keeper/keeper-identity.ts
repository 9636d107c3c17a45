import { replaceDurably } from '../../apps/server/src/db/durable-file.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEEPER_NAME } from '@drawhouse/rules/keeper-texts';
import { makeKey } from './keeper-keys.ts';
import type { KeptKey } from './keeper-keys.ts';

const NAME_DIGITS = 8;

/** Who a keeper is and whose questions it answers, as `keeper.json` has it. */
export interface Identity extends KeptKey {
  readonly name: string;
  /** The public keys of the server that asked it one after the other, 64 hex digits each: the last one holds. */
  readonly operators: readonly string[];
}

/** What the command line says of it; what is left out stays as it is. */
export interface WishedIdentity {
  readonly name?: string | undefined;
  readonly operator?: string | undefined;
}

/** The identity of a folder, undefined where it has none yet. */
export async function readIdentity(dir: string): Promise<Identity | undefined> {
  const file = join(dir, 'keeper.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Identity;
  } catch {
    throw new Error(`${file} is damaged: put back an undamaged copy of it.`);
  }
}

/**
 * The identity of a folder, made at the first start; a new operator's key is kept beside the earlier ones. Throws a sentence where there is
 * no operator yet, or another name is wished for than it has.
 */
export async function ensureIdentity(dir: string, wish: WishedIdentity): Promise<Identity> {
  const { name, operator } = wish;
  if (name !== undefined && !KEEPER_NAME.test(name))
    throw new Error('--name is 1 to 64 letters, digits, dots, dashes and _.');
  const kept = await readIdentity(dir);
  if (kept && name !== undefined && name !== kept.name)
    throw new Error(`--name is ${name}, but this keeper is ${kept.name}: what it has signed names it so.`);
  if (!kept && operator === undefined)
    throw new Error(
      '--operator is missing: the public key of the server whose questions it answers, as https://…/seals/key tells it.',
    );
  if (kept && (operator === undefined || operator === kept.operators.at(-1))) return kept;
  const key = kept ?? makeKey();
  const identity: Identity = {
    name: kept?.name ?? name ?? nameOf(key.publicKey),
    publicKey: key.publicKey,
    privateKey: key.privateKey,
    operators: [...(kept?.operators ?? []), operator!],
  };
  await replaceDurably(join(dir, 'keeper.json'), `${JSON.stringify(identity, null, 2)}\n`);
  return identity;
}

function nameOf(publicKey: string): string {
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex');
  return `keeper-${digest.slice(0, NAME_DIGITS)}`;
}
