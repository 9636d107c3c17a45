import { join, resolve } from 'node:path';
import { BEACON_KEY } from '@drawhouse/rules/fair/beacon-rounds';
import { isKeyName, parseNoteKey, SIGNATURE_TYPES, type NoteKey } from '@drawhouse/tlog/note-keys';

/** The server asks a witness with an address; others ask the server. */
export interface Witness {
  readonly key: NoteKey;
  readonly url: string | undefined;
}

/** Comma-separated keys, each optionally with `@` and address. */
function readWitnesses(text: string): Witness[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [, line, url] = /^(.*?)(?:@(https?:\/\/\S+))?$/.exec(one)!;
      const key = parseNoteKey(line!);
      if (key?.type !== SIGNATURE_TYPES.cosignature)
        throw new Error(
          `SEAL_WITNESSES has no valid witness key here: ${one}. The witness prints its own, as name+id+base64.`,
        );
      return { key, url: url?.replace(/\/$/, '') };
    });
}

export interface SealSettings {
  readonly sealDir: string;
  readonly sealKey: string | undefined;
  readonly sealKeyFile: string | undefined;
  readonly sealName: string | undefined;
  readonly sealWitnesses: readonly Witness[];
}

export function readSealSettings(text: (name: string) => string | undefined, dataDir: string): SealSettings {
  const sealKey = text('SEAL_KEY');
  if (sealKey !== undefined && !/^[0-9a-f]{64}$/i.test(sealKey)) throw new Error('SEAL_KEY must be 64 hex digits.');
  const sealKeyFile = text('SEAL_KEY_FILE');
  if (sealKey !== undefined && sealKeyFile !== undefined)
    throw new Error('SEAL_KEY and SEAL_KEY_FILE are both set. Set only one of them.');
  const sealName = text('SEAL_NAME');
  if (sealName !== undefined && !isKeyName(sealName))
    throw new Error('SEAL_NAME must not contain spaces or plus signs. Example: games.example.org.');
  return {
    sealDir: resolve(text('SEAL_DIR') ?? join(dataDir, 'seals')),
    sealKey,
    sealKeyFile: sealKeyFile && resolve(sealKeyFile),
    sealName,
    sealWitnesses: readWitnesses(text('SEAL_WITNESSES') ?? ''),
  };
}

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

export interface NotifySettings {
  /** The path may be secret, so only the host is shown. No credentials. */
  readonly url: string;
  readonly host: string;
  readonly authorization: string | undefined;
  readonly secret: Buffer;
  /** In milliseconds. Without an answer, the message counts as undelivered. */
  readonly answerMs: number;
}

const ANSWER_MS = 8_000;

const SECRET = /^whsec_(?<base64>[A-Za-z0-9+/]{32,88}={0,2})$/;
/** Standard Webhooks: secret length in bytes. */
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
const SECRET_FORM =
  'NOTIFY_SECRET must be whsec_ followed by 24 to 64 random bytes in Base64. Create them with openssl rand -base64 32.';

/** Undefined if disabled. Errors never show the secret. */
export function readNotify(text: (name: string) => string | undefined): NotifySettings | undefined {
  const [address, secretText] = [text('NOTIFY_URL'), text('NOTIFY_SECRET')];
  if (address === undefined) {
    if (secretText !== undefined)
      throw new Error('NOTIFY_SECRET needs NOTIFY_URL, the address that notices are sent to.');
    return undefined;
  }
  if (secretText === undefined)
    throw new Error(`NOTIFY_URL needs NOTIFY_SECRET, which signs the messages. ${SECRET_FORM}`);
  const secret = Buffer.from(SECRET.exec(secretText)?.groups!['base64'] ?? '', 'base64');
  if (secret.length < LEAST_BYTES || secret.length > MOST_BYTES) throw new Error(SECRET_FORM);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error('NOTIFY_URL must be an address such as https://alerts.example/drawhouse.');
  const authorization = authorizationOf(url);
  url.username = '';
  url.password = '';
  return { url: url.href, host: url.host, authorization, secret, answerMs: ANSWER_MS };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new Error(
      'NOTIFY_URL has a name or password with a % that is not followed by two hex digits. Write it as %25.',
    );
  }
}
