import type { ErrorCode } from '@drawhouse/contract/frame/errors';

/**
 * Why a session ended: the user signed out, it ran out or was ended by the server, it gave way to a newer one, or the user signed out
 * of it in another tab.
 */
export type SessionEnd = 'signed-out' | 'ended' | 'replaced' | 'other-tab';

/** Whether what was typed is kept: not where this tab itself has signed out. */
export function keepsTyping(why: SessionEnd | null): boolean {
  return why !== null && why !== 'signed-out';
}

const ENDS: Readonly<Partial<Record<ErrorCode, SessionEnd>>> = {
  NOT_SIGNED_IN: 'ended',
  SESSION_ENDED: 'ended',
  SESSION_REPLACED: 'replaced',
};

/** How a session has ended that the server refuses with this code of the contract; undefined where it may still stand. */
export function sessionEndOf(code: unknown): SessionEnd | undefined {
  return typeof code === 'string' && Object.hasOwn(ENDS, code) ? ENDS[code as ErrorCode] : undefined;
}
