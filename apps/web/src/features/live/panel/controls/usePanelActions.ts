import { addResult, correctResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import type { Panel } from '@drawhouse/contract/live/live';
import type { Declaration } from '@drawhouse/rules/panel/layout';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ApiError, failureMessage } from '@drawhouse/session/api-client';
import { call } from '../../../../lib/server/api.ts';
import { uncertainOutcomeText } from '../../../../lib/form/formErrors.ts';
import { failureNote } from '../../../../lib/RequestId.tsx';
import { readingMs } from '../../../../lib/form/timedMessage.ts';
import { usePageNote, type PageNote } from '../../../../lib/form/usePageNote.ts';
import { MESSAGE_MS } from '../../../../firstTexts.ts';
import { sendOnce, failureText, refusalOf, type SentRequest, type ActionTexts } from './panelCalls.ts';
import { liveTexts } from '../../liveTexts.ts';
import type { PanelPair } from '../feed/panelRoom.ts';

export type Busy = 'add' | 'reset' | 'save' | 'confirm' | 'correct' | 'generate' | 'void' | null;

interface BalanceActions {
  /** `beyond`: warning for beside the field. */
  add: (balance: number) => Promise<{ isDone: boolean; beyond: string | null }>;
  reset: () => Promise<boolean>;
}

interface DrawActions {
  save: (declared: Declaration, booster: number) => Promise<boolean>;
  confirm: (declared: Declaration, booster: number, drawId?: string) => Promise<boolean>;
  correct: (declared: Declaration, reason: string, corrects: string) => Promise<boolean>;
  generate: () => Promise<boolean>;
  voidDraw: (reason: string) => Promise<boolean>;
}

/**
 * Returns true on success and notifies. On another panel a late success would look like its own, so only late failures
 * are shown.
 */
export interface PanelActions extends BalanceActions, DrawActions {
  busy: Busy;
}

interface Outcome {
  readonly isDone: boolean;
  readonly error?: unknown;
}

/** Ignored while another action is pending. */
type Attempt = (
  what: NonNullable<Busy>,
  act: () => Promise<{ message?: string | undefined }>,
  texts: ActionTexts,
) => Promise<Outcome>;

type SendOnce = <Answer>(request: string, send: (idempotencyKey: string) => Promise<Answer>) => Promise<Answer>;

/** At the top, messages would cover the state of the draw. */
const BENEATH = 'bottom-center';

/** The spec has one text for refusals and one for other failures. */
const UNSAID = { fallback: '' } as const;

/**
 * Runs one action at a time. A balance call repeated after a lost answer reuses its key. Stable while draw and busy
 * state are.
 */
export function usePanelActions(
  name: string,
  { gameId, adminId, draw }: Panel,
  awaitedId: string | undefined,
  onDone: () => void,
): PanelActions {
  const outcome = usePageNote(name);
  const doubt = usePageNote(name);
  const { busy, attempt } = useAttempt(onDone, outcome, doubt);
  const once = useSendOnce();
  const drawId = draw?._id;
  return useMemo(() => {
    const pair = { gameId, adminId };
    return {
      busy,
      ...balanceActions(pair, attempt, once, doubt),
      ...drawActions(pair, { drawId, declaredId: awaitedId ?? drawId }, attempt),
    };
  }, [busy, gameId, adminId, drawId, awaitedId, attempt, once, doubt]);
}

function useSendOnce(): SendOnce {
  const sent = useRef<SentRequest | null>(null);
  return useCallback<SendOnce>((request, send) => sendOnce(sent, request, send), []);
}

function useAttempt(onDone: () => void, outcome: PageNote, doubt: PageNote): { busy: Busy; attempt: Attempt } {
  const [busy, setBusy] = useState<Busy>(null);
  const running = useRef(false);
  const attempt = useCallback<Attempt>(
    async (what, act, texts) => {
      if (running.current) return { isDone: false };
      running.current = true;
      setBusy(what);
      doubt.clear();
      try {
        const answer = await act();
        const message = answer.message ?? texts.done;
        if (!outcome.isLeft())
          outcome.show({ message, color: 'accent', position: BENEATH, autoClose: readingMs(message, MESSAGE_MS.live) });
        onDone();
        return { isDone: true };
      } catch (error) {
        const message = failureText(error, texts);
        const shown = failureNote(failureMessage(error, message));
        outcome.show({
          message: shown,
          color: 'red',
          position: BENEATH,
          autoClose: readingMs(message, MESSAGE_MS.usual),
        });
        return { isDone: false, error };
      } finally {
        running.current = false;
        setBusy(null);
      }
    },
    [onDone, outcome, doubt],
  );
  return { busy, attempt };
}

function balanceActions(pair: PanelPair, attempt: Attempt, once: SendOnce, doubt: PageNote): BalanceActions {
  const move = (body: { balance?: number; type: 'add' | 'remove' }) =>
    once(JSON.stringify([pair, body]), (idempotencyKey) =>
      call(addBalance, { body: { ...pair, ...body } }, { ...UNSAID, idempotencyKey }),
    );
  return {
    add: async (balance) => {
      const { isDone, error } = await attempt('add', () => move({ balance, type: 'add' }), {
        done: liveTexts.balanceAdded,
        failed: liveTexts.balanceFailed,
        error: liveTexts.balanceError,
      });
      return { isDone, beyond: refusalOf(error) ?? uncertainOutcomeText(error, liveTexts) };
    },
    reset: async () => {
      const { isDone, error } = await attempt('reset', () => move({ type: 'remove' }), {
        done: liveTexts.balanceReset,
        failed: liveTexts.balanceFailed,
        error: liveTexts.resetError,
      });
      const beyond = uncertainOutcomeText(error, liveTexts);
      if (beyond !== null) doubt.show({ message: beyond, color: 'yellow', position: BENEATH, autoClose: false });
      return isDone;
    },
  };
}

interface ActedDraws {
  readonly drawId: string | undefined;
  readonly declaredId: string | undefined;
}

function drawActions(pair: PanelPair, { drawId, declaredId }: ActedDraws, attempt: Attempt): DrawActions {
  const run: (...of: Parameters<Attempt>) => Promise<boolean> = async (...of) => (await attempt(...of)).isDone;
  const declare = (declared: Declaration, booster: number, ofDraw = declaredId) => ({
    ...pair,
    ...declared,
    boosterValue: booster,
    drawId: ofDraw,
  });
  return {
    save: (declared, booster) =>
      run('save', () => call(addResult, { body: declare(declared, booster) }, UNSAID), {
        done: liveTexts.resultAdded,
        failed: liveTexts.resultFailed,
        error: liveTexts.resultError,
      }),
    confirm: (declared, booster, ofDraw) =>
      run(
        'confirm',
        () => call(addResult, { body: { ...declare(declared, booster, ofDraw), confirm: true } }, UNSAID),
        {
          done: liveTexts.confirmed,
          failed: liveTexts.confirmFailed,
          error: liveTexts.confirmError,
        },
      ),
    correct: (declared, reason, corrects) =>
      run(
        'correct',
        async () => {
          try {
            return await call(
              correctResult,
              { body: { ...pair, ...declared, drawId: declaredId!, reason, corrects } },
              UNSAID,
            );
          } catch (error) {
            // A second person always approves it.
            if (error instanceof ApiError && error.code === 'APPROVAL_PENDING')
              return { message: liveTexts.correctionAsked };
            throw error;
          }
        },
        { done: liveTexts.corrected, failed: liveTexts.correctFailed, error: liveTexts.correctError },
      ),
    generate: () =>
      run('generate', () => call(generateResult, { body: { ...pair, drawId } }, UNSAID), {
        done: liveTexts.generated,
        failed: liveTexts.generateFailed,
        error: liveTexts.generateError,
      }),
    voidDraw: (reason) =>
      run('void', () => call(voidDraw, { body: { ...pair, drawId, reason } }, UNSAID), {
        done: liveTexts.voided,
        failed: liveTexts.voidFailed,
        error: liveTexts.voidError,
      }),
  };
}
