import type { ErrorCode } from '@drawhouse/contract/frame/errors';

/**
 * `ended`: expired or ended by the server. `replaced`: displaced by a newer session. `other-tab`: signed out in another
 * tab.
 */
export type SessionEnd = 'signed-out' | 'ended' | 'replaced' | 'other-tab';

/** False only after a sign-out in this tab. */
export function shouldKeepFormInput(why: SessionEnd | null): boolean {
  return why !== null && why !== 'signed-out';
}

const ENDS: Readonly<Partial<Record<ErrorCode, SessionEnd>>> = {
  NOT_SIGNED_IN: 'ended',
  SESSION_ENDED: 'ended',
  SESSION_REPLACED: 'replaced',
};

/** Undefined if the session may still be valid. */
export function sessionEndOf(code: unknown): SessionEnd | undefined {
  return typeof code === 'string' && Object.hasOwn(ENDS, code) ? ENDS[code as ErrorCode] : undefined;
}
