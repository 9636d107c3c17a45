import * as z from 'zod/mini';
import { requireOwnToken, tokenOfCell } from '../../cells/other-cell.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import type { FactorVault } from './factor-vault.ts';

const MINUTE_MS = 60_000;

const LIFETIME_MS = {
  /** Between the password and the second factor. */
  signIn: 5 * MINUTE_MS,
  /** Confirming a sensitive call with a passkey. */
  confirm: 5 * MINUTE_MS,
  /** Setting up an app on another device. */
  app: 15 * MINUTE_MS,
  passkey: 5 * MINUTE_MS,
  invitation: 7 * 24 * 60 * MINUTE_MS,
} as const;

type Purpose = keyof typeof LIFETIME_MS;

const dated = z.object({ at: z.number(), content: z.unknown() });

/** Encrypted, so the client can carry it to the next call. Begins with the cell's name, like tokens. */
export function sealChallenge(
  services: Pick<Services, 'clock' | 'directory'>,
  vault: FactorVault,
  purpose: Purpose,
  content: unknown,
): string {
  const text = JSON.stringify({ at: services.clock.now().getTime(), content });
  return tokenOfCell(services, vault.seal(text, purpose).toString('base64url'));
}

export function openChallenge<S extends z.ZodMiniType>(
  services: Pick<Services, 'clock' | 'directory'>,
  vault: FactorVault,
  purpose: Purpose,
  { challenge, schema }: { readonly challenge: string; readonly schema: S },
): { readonly at: Date; readonly content: z.output<S> } {
  requireOwnToken(services, challenge);
  const text = vault.open(Buffer.from(challenge.slice(challenge.indexOf('.') + 1), 'base64url'), purpose);
  if (text === undefined) throw new CallError('CHALLENGE_ENDED');
  const { at, content } = dated.parse(JSON.parse(text));
  const ageMs = services.clock.now().getTime() - at;
  // Another server's clock may be ahead.
  if (Math.abs(ageMs) > LIFETIME_MS[purpose]) throw new CallError('CHALLENGE_ENDED');
  return { at: new Date(at), content: schema.parse(content) };
}
