import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface RepeatableChance {
  below(below: number): number;
  of<T>(choices: readonly T[]): T;
}

/**
 * Replaces even Node's own randomness, so pictures differ only if the program changed. Never use elsewhere: seeds and
 * passwords become predictable.
 */
export function makeChanceRepeatable(seed: string): RepeatableChance {
  let block = Buffer.alloc(0);
  let blocks = 0;
  const bytes = (size: number): Buffer => {
    while (block.length < size)
      block = Buffer.concat([block, createHash('sha256').update(`${seed} ${blocks++}`).digest()]);
    const taken = Buffer.from(block.subarray(0, size));
    block = block.subarray(size);
    return taken;
  };
  const fraction = (): number => bytes(4).readUInt32BE() / 2 ** 32;
  const below = (most: number): number => Math.floor(fraction() * most);
  Math.random = fraction;
  Object.assign(crypto, {
    randomBytes: bytes,
    randomInt: below,
    randomUUID: () => {
      const hex = bytes(16).toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
        '-',
      );
    },
  });
  syncBuiltinESMExports();
  return { below, of: (choices) => choices[below(choices.length)]! };
}
