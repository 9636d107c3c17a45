import { createHash, randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '@drawhouse/contract/auth/factors';

const HASH_BYTES = 32;
/** Without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 120 bits. ASVS 6.5.2 requires a slow, salted hash only below 112. */
const GROUPS = 6;
const GROUP_CHARS = 4;

function makeCode(): string {
  const group = (): string => Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(plainCode(code)).digest();
}

export function makeCodes(): { readonly codes: string[]; readonly hashes: Buffer } {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode);
  return { codes, hashes: Buffer.concat(codes.map(hashOfCode)) };
}

export function countCodes(hashes: Buffer | null): number {
  return (hashes?.length ?? 0) / HASH_BYTES;
}

export function withoutCode(hashes: Buffer, code: string): Buffer | undefined {
  const hash = hashOfCode(code);
  for (let at = 0; at < hashes.length; at += HASH_BYTES)
    if (hashes.subarray(at, at + HASH_BYTES).equals(hash))
      return Buffer.concat([hashes.subarray(0, at), hashes.subarray(at + HASH_BYTES)]);
  return undefined;
}
