import { QUICKNET } from '@drawhouse/rules/drand-chain';

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
  /** The hash of the chain, 64 hex digits, from which the rest of it is known to be right. */
  readonly hash: string;
}

/** What the settings say of who keeps parts of the seeds of draws. */
export interface KeepingSettings {
  /** None: the server keeps them alone. */
  readonly keepers: readonly KeeperAddress[];
  /** How long after betting has closed their seeds may come, in milliseconds. */
  readonly deadlineMs: number;
  readonly beacon: BeaconAddress | undefined;
}

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
  const hash = text('DRAND_CHAIN')?.toLowerCase();
  if (hash !== undefined && url === undefined) throw new Error('DRAND_CHAIN needs DRAND_URL.');
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))
    throw new Error('DRAND_CHAIN must be the hash of a chain, 64 hex digits.');
  return {
    keepers,
    deadlineMs: Number(seconds) * 1_000,
    beacon: url === undefined ? undefined : { url: addressOf(url, 'DRAND_URL'), hash: hash ?? QUICKNET.hash },
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
