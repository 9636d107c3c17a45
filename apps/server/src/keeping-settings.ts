import type { BeaconChain } from '@drawhouse/rules/terms';

/** Where a keeper answers, and the key that it has to have; without one the first that it shows is held to. */
export interface KeeperAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** Ed25519, 64 hex digits in lower case. */
  readonly publicKey: string | undefined;
}

/** Where rounds of drand are read, and of which chain. */
export interface BeaconAddress {
  readonly url: string;
  readonly chain: BeaconChain;
}

/** What the settings say of who keeps parts of the seeds of draws. */
export interface KeepingSettings {
  /** None: the server keeps them alone. */
  readonly keepers: readonly KeeperAddress[];
  /** How long after betting has closed their seeds may come, in milliseconds. */
  readonly deadlineMs: number;
  readonly beacon: BeaconAddress | undefined;
}

/** The chain that is taken where no other is named: quicknet of the League of Entropy, a round each three seconds. */
const QUICKNET: BeaconChain = {
  chain: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis: 1_692_803_367,
  period: 3,
};

const MOST_KEEPERS = 8;

/** Reads the settings by their names. Throws an Error that names the setting and what would be right. */
export function readKeeping(text: (name: string) => string | undefined): KeepingSettings {
  const seconds = text('KEEPER_DEADLINE_SECONDS') ?? '60';
  if (!/^\d{1,4}$/.test(seconds) || Number(seconds) < 5 || Number(seconds) > 3_600)
    throw new Error('KEEPER_DEADLINE_SECONDS must be a whole number from 5 to 3600.');
  const keepers = (text('KEEPER_URL') ?? '').split(',').flatMap((part) => keeperOf(part.trim()));
  if (keepers.length > MOST_KEEPERS) throw new Error(`KEEPER_URL must name at most ${MOST_KEEPERS} keepers.`);
  if (new Set(keepers.map(({ url }) => url)).size < keepers.length)
    throw new Error('KEEPER_URL must name each keeper once.');
  const url = text('DRAND_URL');
  const chain = text('DRAND_CHAIN');
  if (chain !== undefined && url === undefined) throw new Error('DRAND_CHAIN needs DRAND_URL.');
  return {
    keepers,
    deadlineMs: Number(seconds) * 1_000,
    beacon: url === undefined ? undefined : { url: addressOf(url, 'DRAND_URL'), chain: chainOf(chain) },
  };
}

function keeperOf(part: string): KeeperAddress[] {
  if (part === '') return [];
  const [address, key, ...more] = part.split('#');
  if (more.length > 0 || (key !== undefined && !/^[0-9a-f]{64}$/i.test(key)))
    throw new Error('KEEPER_URL must name each keeper as https://host#key, its public key of 64 hex digits.');
  return [{ url: addressOf(address!, 'KEEPER_URL'), publicKey: key?.toLowerCase() }];
}

function addressOf(address: string, setting: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.username !== '')
    throw new Error(`${setting} must be an address such as https://keeper.example.`);
  return address.replace(/\/+$/, '');
}

/** `hash/publicKey/genesis/period`, as `GET /{hash}/info` of drand tells them. */
function chainOf(named: string | undefined): BeaconChain {
  if (named === undefined) return QUICKNET;
  const found = /^([0-9a-f]{64})\/([0-9a-f]{96}|[0-9a-f]{192})\/(\d{1,12})\/(\d{1,4})$/i.exec(named);
  if (!found || Number(found[4]) < 1)
    throw new Error(
      'DRAND_CHAIN must be hash/publicKey/genesis/period of a chain whose rounds are unchained, both first in hex and both last in seconds.',
    );
  const [, chain, publicKey, genesis, period] = found;
  return {
    chain: chain!.toLowerCase(),
    publicKey: publicKey!.toLowerCase(),
    genesis: Number(genesis),
    period: Number(period),
  };
}
