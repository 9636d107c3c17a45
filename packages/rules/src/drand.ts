import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { SCHEMES } from './drand-chain.ts';
import type { DrandChain, DrandScheme } from './drand-chain.ts';

// Rounds of a drand network (https://drand.love), each signed by a threshold of its members: nobody knows one before its time, and everybody
// can check it afterwards by the network's public key alone.

const HEX = /^(?:[0-9a-f]{2})+$/;
/** Bytes of a compressed point of each group. */
const G1_BYTES = 48;
const G2_BYTES = 96;

/** The hash of a chain by what else is known of it, 64 hex digits; the beacon id `default` is left out, as drand does. */
export function chainHash({ publicKey, period, genesisTime, groupHash, beaconId }: Omit<DrandChain, 'hash'>): string {
  const times = new DataView(new ArrayBuffer(12));
  times.setUint32(0, period);
  times.setBigInt64(4, BigInt(genesisTime));
  const id = utf8ToBytes(beaconId === 'default' ? '' : beaconId);
  return bytesToHex(
    sha256(concatBytes(new Uint8Array(times.buffer), hexToBytes(publicKey), hexToBytes(groupHash), id)),
  );
}

/**
 * Reads a chain from what its `/info` answers, parsed. Throws RangeError with a sentence where a field is missing, its scheme is not known here,
 * or its hash is not that of the rest: so whoever has the hash from elsewhere can take the rest from anyone.
 */
export function readChain(json: unknown): DrandChain {
  if (typeof json !== 'object' || json === null) throw new RangeError('A drand chain is the JSON that /info answers.');
  const fields = json as Record<string, unknown>;
  const { public_key, period, genesis_time, hash, groupHash, schemeID, metadata } = fields;
  const beaconId = (metadata as { beaconID?: unknown } | undefined)?.beaconID ?? 'default';
  if (typeof schemeID !== 'string' || !Object.hasOwn(SCHEMES, schemeID))
    throw new RangeError(`schemeID must be one of ${Object.keys(SCHEMES).join(', ')}.`);
  const scheme = schemeID as DrandScheme;
  const keyBytes = SCHEMES[scheme].isOnG1 ? G2_BYTES : G1_BYTES;
  if (!isHex(public_key, keyBytes)) throw new RangeError(`public_key must be ${keyBytes * 2} hex digits.`);
  if (!isHex(groupHash, 32) || !isHex(hash, 32)) throw new RangeError('hash and groupHash must be 64 hex digits each.');
  if (!isCount(period) || period < 1 || period > 0xffff_ffff || !isCount(genesis_time) || typeof beaconId !== 'string')
    throw new RangeError('period and genesis_time must be whole seconds, and metadata.beaconID a text.');
  const rest = { publicKey: public_key, period, genesisTime: genesis_time, groupHash, scheme, beaconId };
  if (chainHash(rest) !== hash)
    throw new RangeError(`hash is ${hash}, but that of what it tells is ${chainHash(rest)}.`);
  return { hash, ...rest };
}

/** A round as a relay tells of it. */
export interface DrandRound {
  /** From 1. */
  readonly round: number;
  /** Hex. */
  readonly signature: string;
  /** Of a chain whose signatures cover the one before: that, in hex. */
  readonly previousSignature?: string | undefined;
}

/** Reads a round from what a relay answers, parsed; its randomness is not read, for it follows from the signature. Throws RangeError. */
export function readRound(json: unknown): DrandRound {
  if (typeof json !== 'object' || json === null) throw new RangeError('A drand round is a JSON object.');
  const { round, signature, previous_signature } = json as Record<string, unknown>;
  if (!isCount(round) || round < 1) throw new RangeError('round must be a whole number from 1.');
  if (!isHex(signature)) throw new RangeError('signature must be hex digits.');
  if (previous_signature === undefined) return { round, signature };
  if (!isHex(previous_signature)) throw new RangeError('previous_signature must be hex digits.');
  return { round, signature, previousSignature: previous_signature };
}

/**
 * The randomness of a round, the 32 bytes of SHA-256 of its signature; null where the signature is not the chain's for that round. A round has one
 * signature, so nobody can choose among several. It takes some 20 ms.
 */
export function verifiedRandomness(
  chain: DrandChain,
  { round, signature, previousSignature }: DrandRound,
): Uint8Array | null {
  const { isOnG1, isChained } = SCHEMES[chain.scheme];
  if (!Number.isSafeInteger(round) || round < 1 || !isHex(signature, isOnG1 ? G1_BYTES : G2_BYTES)) return null;
  if (isChained && !isHex(previousSignature)) return null;
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(round));
  const before = isChained ? hexToBytes(previousSignature!) : new Uint8Array(0);
  const message = sha256(concatBytes(before, new Uint8Array(number.buffer)));
  const bytes = hexToBytes(signature);
  try {
    return isSigned(isOnG1, bytes, message, hexToBytes(chain.publicKey)) ? sha256(bytes) : null;
  } catch {
    // Bytes that are no point of the curve, or not its one form.
    return null;
  }
}

/**
 * Checks the round that a draw names: its chain is the one that its hash stands for, and its signature, where it is published, is the chain's. Whose chain it is
 * follows from the hash alone, which everybody has to know from elsewhere. Never throws; problems are sentences.
 */
export function examineRound(
  beacon: DrandChain & { readonly round: number; readonly signature: string | null },
): string[] {
  const { publicKey: public_key, genesisTime: genesis_time, scheme: schemeID, beaconId: beaconID, round } = beacon;
  try {
    const chain = readChain({ ...beacon, public_key, genesis_time, schemeID, metadata: { beaconID } });
    if (beacon.signature === null || verifiedRandomness(chain, { round, signature: beacon.signature })) return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [`The chain of its round can't be the one that is named: ${error.message}`];
  }
  return [`The signature of round ${round} is not that of the chain.`];
}

/** By the texts of domain separation that drand signs with: RFC 9380 names them for each group. */
function isSigned(isOnG1: boolean, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (isOnG1) {
    const onG1 = bls12_381.shortSignatures;
    return onG1.verify(signature, onG1.hash(message, 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'), publicKey);
  }
  const onG2 = bls12_381.longSignatures;
  return onG2.verify(signature, onG2.hash(message, 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_'), publicKey);
}

function isHex(value: unknown, bytes?: number): value is string {
  if (typeof value !== 'string' || !HEX.test(value)) return false;
  return bytes === undefined || value.length === bytes * 2;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
