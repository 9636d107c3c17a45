import { BEACON_KEY } from '@drawhouse/rules/fair/beacon-rounds';

export interface BeaconAddress {
  /** Without trailing slash. */
  readonly url: string;
  /** Lowercase. */
  readonly publicKey: string;
}

export interface BeaconSettings {
  readonly beacons: readonly BeaconAddress[];
  /** In milliseconds after the draw time. */
  readonly deadlineMs: number;
  /**
   * PostgreSQL snapshot showing everything sealed; undefined before the first seal. Without sealing, draws count as
   * sealed once closed.
   */
  readonly sealedUpTo?: (() => Promise<string | undefined>) | undefined;
}

const MOST_BEACONS = 3;

export function readBeacons(text: (name: string) => string | undefined): BeaconSettings {
  const seconds = text('BEACON_DEADLINE_SECONDS') ?? '60';
  if (!/^\d{1,4}$/.test(seconds) || Number(seconds) < 5 || Number(seconds) > 3_600)
    throw new Error('BEACON_DEADLINE_SECONDS must be a whole number from 5 to 3600.');
  const beacons = (text('BEACONS') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(beaconOf);
  if (beacons.length > MOST_BEACONS) throw new Error(`BEACONS must name at most ${MOST_BEACONS} beacons.`);
  if (new Set(beacons.map(({ publicKey }) => publicKey)).size < beacons.length)
    throw new Error('BEACONS must name each beacon once.');
  return { beacons, deadlineMs: Number(seconds) * 1_000 };
}

function beaconOf(part: string): BeaconAddress {
  const [address, key, ...more] = part.split('#');
  const url = URL.canParse(address!) ? new URL(address!) : undefined;
  const isAddress = url && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.username === '';
  const publicKey = key?.toLowerCase() ?? '';
  if (!isAddress || more.length > 0 || !BEACON_KEY.test(publicKey))
    throw new Error(
      'BEACONS must list each beacon as https://host/path#key. The key is its public key, 192 hex digits.',
    );
  return { url: address!.replace(/\/+$/, ''), publicKey };
}
