import type { ErrorCode } from '@drawhouse/contract/core/errors';

/** `ended`: expired or ended by the server. `replaced`: by a newer session. */
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

type SessionFetchFailure = 'ended' | 'retry' | 'unanswered';

/** Misdirected (421), throttled (429) or not ready (503): says nothing about the session. */
const RETRY: readonly number[] = [421, 429, 503];
/** No answer, or a proxy's error. */
const UNANSWERED: readonly number[] = [0, 502, 504];
/** Doubles up to the last. */
const PAUSE_MS = { first: 1000, last: 8000 } as const;

export function sessionFetchFailure(status: number): SessionFetchFailure {
  if (UNANSWERED.includes(status)) return 'unanswered';
  // A truncated success is unreadable.
  return RETRY.includes(status) || status < 400 ? 'retry' : 'ended';
}

export function sessionFetchPause(failures: number): number {
  return Math.min(PAUSE_MS.first * 2 ** Math.max(0, failures - 1), PAUSE_MS.last);
}
