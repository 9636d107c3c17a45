import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws';
import { addBalance } from '@drawhouse/contract/game-balance';
import type { Panel } from '@drawhouse/contract/live';
import type { Declaration } from '@drawhouse/rules/layout';
import { notifications } from '@mantine/notifications';
import { useMemo, useRef, useState } from 'react';
import { ApiError, call, doubtOf } from '../../lib/api.ts';
import { newIdempotencyKey } from '../../lib/idempotencyKey.ts';
import { readingMs } from '../../lib/readingTime.ts';
import { MESSAGE_MS } from '../../firstMessages.ts';
import { LIVE } from './liveMessages.ts';

/** What is being done at the moment. */
export type Busy = 'add' | 'reset' | 'save' | 'confirm' | 'generate' | 'void' | null;

/** What the operator can do. Each answers whether it was done; the outcome is told in a notification. */
export interface PanelActions {
  busy: Busy;
  /** Answers null when it was added, else why it was not, for the field. */
  add: (balance: number) => Promise<string | null>;
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

interface Texts {
  done: string;
  failed: string;
  error: string;
}

/** The sentence for a failure: the server's, else the spec's for a refusal or for no answer at all. */
function failureText(error: unknown, texts: { failed: string; error: string }): string {
  if (!(error instanceof ApiError) || ['NO_RESPONSE', 'OUTCOME_UNKNOWN'].includes(error.code)) return texts.error;
  if (error.code === 'UNKNOWN') return texts.failed;
  return Object.values(error.fields ?? {})[0] ?? error.message;
}

/** Why a balance call failed; where no answer came, also that it may have been done and acts once when it is sent again. */
function balanceFailureText(error: unknown, texts: { failed: string; error: string }): string {
  const text = failureText(error, texts);
  const doubt = doubtOf(error, LIVE);
  return doubt === null ? text : `${text} ${doubt}`;
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
      return (await attemptTo(what, act, texts)) === null;
    }

    /** Acts, tells what came of it, and answers null or why it failed. */
    async function attemptTo(
      what: NonNullable<Busy>,
      act: () => Promise<Done>,
      texts: Texts,
      why: (error: unknown, texts: Texts) => string = failureText,
    ): Promise<string | null> {
      if (running.current) return '';
      running.current = true;
      setBusy(what);
      try {
        const answer = await act();
        notifications.show({ message: answer.message ?? texts.done, color: 'accent' });
        onDone();
        return null;
      } catch (error) {
        const message = why(error, texts);
        notifications.show({ message, color: 'red', autoClose: readingMs(message, MESSAGE_MS.usual) });
        return message;
      } finally {
        running.current = false;
        setBusy(null);
      }
    }

    async function moveBalance(body: { balance?: number; type: 'add' | 'remove' }): Promise<Done> {
      const of = JSON.stringify([pair, body]);
      if (attempt.current?.of !== of) attempt.current = { of, key: newIdempotencyKey() };
      try {
        const answer = await call(addBalance, { body: { ...pair, ...body } }, { idempotencyKey: attempt.current.key });
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
      add: (balance) =>
        attemptTo(
          'add',
          () => moveBalance({ balance, type: 'add' }),
          { done: LIVE.balanceAdded, failed: LIVE.balanceFailed, error: LIVE.balanceError },
          balanceFailureText,
        ),
      reset: async () =>
        (await attemptTo(
          'reset',
          () => moveBalance({ type: 'remove' }),
          { done: LIVE.balanceReset, failed: LIVE.balanceFailed, error: LIVE.resetError },
          balanceFailureText,
        )) === null,
      save: (declared, booster) =>
        run('save', () => call(addResult, { body: { ...pair, ...declared, boosterValue: booster, drawId } }), {
          done: LIVE.resultAdded,
          failed: LIVE.resultFailed,
          error: LIVE.resultError,
        }),
      confirm: (declared, booster) =>
        run(
          'confirm',
          () =>
            call(addResult, {
              body: { ...pair, ...declared, boosterValue: booster, drawId, confirm: true },
            }),
          { done: LIVE.confirmed, failed: LIVE.confirmFailed, error: LIVE.confirmError },
        ),
      generate: () =>
        run('generate', () => call(generateResult, { body: { ...pair, drawId } }), {
          done: LIVE.generated,
          failed: LIVE.generateFailed,
          error: LIVE.generateError,
        }),
      voidDraw: (reason) =>
        run('void', () => call(voidDraw, { body: { ...pair, drawId, reason } }), {
          done: LIVE.voided,
          failed: LIVE.voidFailed,
          error: LIVE.voidError,
        }),
    };
  }, [busy, gameId, adminId, drawId, onDone]);
}
