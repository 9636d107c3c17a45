import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Services } from '../../platform/services.ts';
import type { FactorRow } from './factors.sql.ts';

/** EdDSA, ES256 and RS256, the common ones. Node warns that newer ones are experimental. */
const ALGORITHMS = [-8, -7, -257];

type Options = Record<string, unknown>;

export interface PasskeyAnswer {
  /** See {@link ownSite}. Browsers let no page forge its origin. */
  readonly site: string | undefined;
  /** JSON of the browser's WebAuthn call. */
  readonly answer: string;
  readonly challenge: string;
}

/**
 * Undefined for origins other than `PUBLIC_URL` or, without that setting, the request's host. This keeps
 * other sites from having passkeys made for them.
 */
export function ownSite(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  header: (name: string) => string | undefined,
): string | undefined {
  const site = header('origin');
  if (site === undefined || !URL.canParse(site)) return undefined;
  const isOwn = publicUrl === undefined ? new URL(site).host === header('host') : site === new URL(publicUrl).origin;
  return isOwn ? site : undefined;
}

/** Passkeys are bound to this host name. Undefined for programs and IP addresses. */
export function passkeyHost(site: string | undefined): string | undefined {
  if (site === undefined || !URL.canParse(site)) return undefined;
  const { hostname } = new URL(site);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname !== '' ? hostname : undefined;
}

/** The browser signs this. It follows from the challenge text, so the server stores nothing. */
function signedChallenge(challenge: string): Buffer {
  return createHash('sha256').update(`passkey ${challenge}`).digest();
}

interface NewPasskey {
  readonly houseName: string;
  readonly host: string;
  readonly username: string;
  readonly challenge: string;
  readonly known: readonly FactorRow[];
}

export async function creationOptions({ houseName, host, username, challenge, known }: NewPasskey): Promise<Options> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: houseName,
    rpID: host,
    userName: username,
    challenge: new Uint8Array(signedChallenge(challenge)),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: idsOf(known, host),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  return { ...options };
}

export async function requestOptions(
  factors: readonly FactorRow[],
  site: string | undefined,
  challenge: string,
): Promise<Options | undefined> {
  const host = passkeyHost(site);
  const allowCredentials = host === undefined ? [] : idsOf(factors, host);
  if (host === undefined || allowCredentials.length === 0) return undefined;
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: new Uint8Array(signedChallenge(challenge)),
    allowCredentials,
    userVerification: 'preferred',
  });
  return { ...options };
}

function idsOf(factors: readonly FactorRow[], host: string): { id: string }[] {
  return factors
    .filter((factor) => factor.kind === 'passkey' && factor.host === host)
    .map(({ credential }) => ({ id: credential!.toString('base64url') }));
}

export interface MadePasskey {
  readonly host: string;
  readonly credential: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** Undefined unless the answer is to this challenge, from this page. */
export async function readNewPasskey({ site, answer, challenge }: PasskeyAnswer): Promise<MadePasskey | undefined> {
  const host = passkeyHost(site);
  if (host === undefined) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(answer) as never,
      expectedChallenge: signedChallenge(challenge).toString('base64url'),
      expectedOrigin: site!,
      expectedRPID: host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || !registrationInfo) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { host, credential: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  } catch {
    return undefined;
  }
}

/** Returns the passkey and its new counter. Undefined if none of this host signed the challenge. */
export async function findSigner(
  factors: readonly FactorRow[],
  { site, answer, challenge }: PasskeyAnswer,
): Promise<{ readonly number: number; readonly counter: number } | undefined> {
  const host = passkeyHost(site);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const response = JSON.parse(answer) as { id: string };
    const factor = factors.find(
      ({ kind, credential, host: own }) =>
        kind === 'passkey' && own === host && credential!.toString('base64url') === response.id,
    );
    if (!factor) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: signedChallenge(challenge).toString('base64url'),
      expectedOrigin: site!,
      expectedRPID: factor.host!,
      credential: { id: response.id, publicKey: new Uint8Array(factor.publicKey!), counter: factor.lastStep },
      requireUserVerification: false,
    });
    return verified ? { number: factor.number, counter: authenticationInfo.newCounter } : undefined;
  } catch {
    return undefined;
  }
}
