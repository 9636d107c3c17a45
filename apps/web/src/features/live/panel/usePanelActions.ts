import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-balance';
import type { Panel } from '@drawhouse/contract/live/live';
import type { Declaration } from '@drawhouse/rules/layout';
import { notifications } from '@mantine/notifications';
import { useMemo, useRef, useState } from 'react';
import { ApiError, call } from '../../../lib/api.ts';
import { doubtOf } from '../../../lib/doubt.ts';
import { newIdempotencyKey } from '../../../lib/idempotencyKey.ts';
import { readingMs } from '../../../lib/readingTime.ts';
import { MESSAGE_MS } from '../../../firstMessages.ts';
import { LIVE } from '../liveTexts.ts';

/** What is being done at the moment. */
export type Busy = 'add' | 'reset' | 'save' | 'confirm' | 'generate' | 'void' | null;

/** What the operator can do. Each answers whether it was done; the outcome is told in a notification. */
export interface PanelActions {
  busy: Busy;
  /** Answers whether it was added, and what is to stand beside the field where it was not. */
  add: (balance: number) => Promise<{ isDone: boolean; beyond: string | null }>;
  reset: () => Promise<boolean>;
  save: (declared: Declaration, booster: number) => Promise<boolean>;
  /** Confirms the result that somebody else has saved. */
  confirm: (declared: Declaration, booster: number) => Promise<boolean>;
  generate: () => Promise<boolean>;
  voidDraw: (reason: string) => Promise<boolean>;
}

interface Done {
  message?: string | undefined;
}

/** What came of an attempt. */
interface Outcome {
  readonly isDone: boolean;
  readonly error?: unknown;
}

/** Where the server says nothing, the spec has two sentences for it: of a refusal, and of what is none. */
const UNSAID = { fallback: '' } as const;

interface Texts {
  done: string;
  failed: string;
  error: string;
}

/** The sentence for a failure: the server's, else the spec's for a refusal or for what was no answer of it. */
function failureText(error: unknown, texts: Texts): string {
  if (!(error instanceof ApiError) || ['NO_RESPONSE', 'OUTCOME_UNKNOWN'].includes(error.code)) return texts.error;
  return Object.values(error.fields ?? {})[0] ?? (error.message || (error.status < 500 ? texts.failed : texts.error));
}

/** What the server itself says of a refusal, which stays beside the field; null where it says nothing. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || ['NO_RESPONSE', 'OUTCOME_UNKNOWN'].includes(error.code)) return null;
  return Object.values(error.fields ?? {})[0] ?? (error.message || null);
}

/**
 * The calls of a panel. One runs at a time; a repeated balance call after a lost answer carries the same key, so it acts once. They stay the
 * same object while the draw does and nothing is done.
 */
export function usePanelActions({ gameId, adminId, draw }: Panel, onDone: () => void): PanelActions {
  const [busy, setBusy] = useState<Busy>(null);
  const running = useRef(false);
  const attempt = useRef<{ of: string; key: string } | null>(null);
  const drawId = draw?._id;

  return useMemo(() => {
    const pair = { gameId, adminId };

    async function run(what: NonNullable<Busy>, act: () => Promise<Done>, texts: Texts): Promise<boolean> {
      return (await attemptTo(what, act, texts)).isDone;
    }

    /** Acts, and tells what came of it. */
    async function attemptTo(what: NonNullable<Busy>, act: () => Promise<Done>, texts: Texts): Promise<Outcome> {
      if (running.current) return { isDone: false };
      running.current = true;
      setBusy(what);
      try {
        const answer = await act();
        notifications.show({ message: answer.message ?? texts.done, color: 'accent' });
        onDone();
        return { isDone: true };
      } catch (error) {
        const message = failureText(error, texts);
        notifications.show({ message, color: 'red', autoClose: readingMs(message, MESSAGE_MS.usual) });
        return { isDone: false, error };
      } finally {
        running.current = false;
        setBusy(null);
      }
    }

    async function moveBalance(body: { balance?: number; type: 'add' | 'remove' }): Promise<Done> {
      const of = JSON.stringify([pair, body]);
      if (attempt.current?.of !== of) attempt.current = { of, key: newIdempotencyKey() };
      try {
        const { key: idempotencyKey } = attempt.current;
        const answer = await call(addBalance, { body: { ...pair, ...body } }, { ...UNSAID, idempotencyKey });
        attempt.current = null;
        return answer;
      } catch (error) {
        // A call whose answer was lost may have acted, so it keeps its key. A refused one has not.
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) attempt.current = null;
        throw error;
      }
    }

    return {
      busy,
      add: async (balance) => {
        const { isDone, error } = await attemptTo('add', () => moveBalance({ balance, type: 'add' }), {
          done: LIVE.balanceAdded,
          failed: LIVE.balanceFailed,
          error: LIVE.balanceError,
        });
        return { isDone, beyond: refusalOf(error) ?? doubtOf(error, LIVE) };
      },
      reset: async () => {
        const { isDone, error } = await attemptTo('reset', () => moveBalance({ type: 'remove' }), {
          done: LIVE.balanceReset,
          failed: LIVE.balanceFailed,
          error: LIVE.resetError,
        });
        const beyond = doubtOf(error, LIVE);
        // It has no field beside which it could stand.
        if (beyond !== null) notifications.show({ message: beyond, color: 'yellow', autoClose: false });
        return isDone;
      },
      save: (declared, booster) =>
        run('save', () => call(addResult, { body: { ...pair, ...declared, boosterValue: booster, drawId } }, UNSAID), {
          done: LIVE.resultAdded,
          failed: LIVE.resultFailed,
          error: LIVE.resultError,
        }),
      confirm: (declared, booster) =>
        run(
          'confirm',
          () =>
            call(addResult, { body: { ...pair, ...declared, boosterValue: booster, drawId, confirm: true } }, UNSAID),
          { done: LIVE.confirmed, failed: LIVE.confirmFailed, error: LIVE.confirmError },
        ),
      generate: () =>
        run('generate', () => call(generateResult, { body: { ...pair, drawId } }, UNSAID), {
          done: LIVE.generated,
          failed: LIVE.generateFailed,
          error: LIVE.generateError,
        }),
      voidDraw: (reason) =>
        run('void', () => call(voidDraw, { body: { ...pair, drawId, reason } }, UNSAID), {
          done: LIVE.voided,
          failed: LIVE.voidFailed,
          error: LIVE.voidError,
        }),
    };
  }, [busy, gameId, adminId, drawId, onDone]);
}
