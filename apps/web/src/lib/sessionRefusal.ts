import type { SessionEnd } from './session.ts';

const ENDS: Readonly<Record<string, SessionEnd>> = {
  NOT_SIGNED_IN: 'ended',
  SESSION_ENDED: 'ended',
  SESSION_REPLACED: 'replaced',
};

/** How a session has ended that the server refuses with this code of the contract; undefined where it may still stand. */
export function sessionEndOf(code: unknown): SessionEnd | undefined {
  return typeof code === 'string' && Object.hasOwn(ENDS, code) ? ENDS[code] : undefined;
}
