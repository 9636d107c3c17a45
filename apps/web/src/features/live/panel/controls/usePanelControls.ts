import type { Panel } from '@drawhouse/contract/live/live';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearch, useUnsavedInput } from '../../../../lib/navigation.ts';
import { canDeclare, phaseAt, useServerClock, type Phase } from '../../drawClock.ts';
import { titleOf } from '../../liveFormat.ts';
import { liveTexts } from '../../liveTexts.ts';
import type { LivePanel } from '../feed/usePanel.ts';
import { panelOfPast } from '../feed/applyPanelChange.ts';
import { isDeclared, isDecidedByBeacon, type Consequence, type PastDraw } from '../panelMath.ts';
import { useChoice, useConsequence, type Choice } from './useChoice.ts';
import { usePanelActions, type PanelActions } from './usePanelActions.ts';
import { reload } from '../../../../lib/server/queryClient.ts';

export interface PanelControls {
  readonly phase: Phase;
  readonly isOpen: boolean;
  readonly disabled: boolean;
  readonly leftToBeacon: boolean;
  readonly locked: boolean;
  /** Past draw whose outside result is entered; null: the running draw. */
  readonly awaited: Panel['awaited'][number] | null;
  /** Settled draw whose outside result is being corrected. */
  readonly correcting: Panel['correctable'][number] | null;
  readonly past: PastDraw | null;
  readonly figures: Panel;
  readonly canSave: boolean;
  readonly aimAt: (drawId: string) => void;
  readonly choice: Choice;
  readonly consequence: Consequence | null;
  readonly actions: PanelActions;
  readonly save: () => Promise<void>;
  readonly questions: Questions;
}

type Question = 'generate' | 'void' | 'incomplete' | 'correct';

/** Stands above dock and column, so that a question survives the turn of a phone. */
export interface Questions {
  readonly asking: Question | null;
  /** Its draw ended before an answer. */
  readonly hasLapsed: boolean;
  readonly ask: (question: Question) => void;
  readonly close: () => void;
}

export function usePanelControls(
  { offset, refresh }: Pick<LivePanel, 'offset' | 'refresh'>,
  panel: Panel,
  still: Panel,
): PanelControls {
  const onDone = useCallback(() => {
    refresh();
    // Also shown in the top bar.
    void reload(['credit']);
  }, [refresh]);
  const phase = useServerClock(offset, (now) => phaseAt(panel, now));
  const leftToBeacon = useServerClock(offset, (now) => isDecidedByBeacon(panel, now));
  const disabled = !canDeclare(phase);
  const [wanted, aimAt] = useState<string | null>(null);
  const canSave = !disabled && !leftToBeacon && isDeclared(panel);
  const correcting = panel.correctable.find(({ drawId }) => drawId === wanted) ?? null;
  const isOther = canSave || correcting !== null;
  const awaited =
    panel.awaited.find(({ drawId }) => drawId === wanted) ?? (isOther ? null : (panel.awaited[0] ?? null));
  const locked = !isOther && awaited === null;
  const past = awaited ?? correcting;
  const figuresOfPast = useMemo(() => past && panelOfPast(still, past), [still, past]);
  const figures = figuresOfPast ?? panel;
  const choice = useChoice(figures, locked, past?.drawId ?? panel.draw?._id ?? '');
  const consequence = useConsequence(choice, figures);
  const { title, of } = titleOf(choice.layout, still);
  const actions = usePanelActions(`${title} ${of}`, still, past?.drawId, onDone);
  useUnsavedInput(!choice.isEmpty);
  const canVoid = !disabled && !leftToBeacon;
  const questions = useQuestions(
    panel.draw?._id ?? '',
    past?.drawId ?? (canSave ? panel.draw?._id : undefined),
    canVoid,
  );
  const hasLapsed = questions.hasLapsed && actions.busy === null;
  useEffect(() => {
    if (hasLapsed) notifications.show({ message: liveTexts.questionLapsed, color: 'yellow' });
  }, [hasLapsed]);
  const booster = awaited ? 1 : choice.booster;
  const { close } = questions;
  const save = useCallback(async () => {
    if (await actions.save(choice.declare(), booster)) choice.clear();
    close();
  }, [actions, choice, booster, close]);
  return {
    phase,
    isOpen: phase === 'open',
    disabled,
    leftToBeacon,
    locked,
    awaited,
    correcting,
    past,
    figures,
    canSave,
    aimAt,
    choice,
    consequence,
    actions,
    save,
    questions,
  };
}

/** A question lapses with its draw. `aimedId`: draw whose result can be saved. */
function useQuestions(runningId: string, aimedId: string | undefined, canVoid: boolean): Questions {
  const isLinked = useSearch()['act'] === 'void' && canVoid;
  const [question, setQuestion] = useState<{ what: Question; drawId: string | undefined } | null>(
    isLinked ? { what: 'void', drawId: runningId } : null,
  );
  const drawIdOf = useCallback(
    (what: Question) => (what === 'generate' || what === 'void' ? runningId : aimedId),
    [runningId, aimedId],
  );
  const asking = question && question.drawId === drawIdOf(question.what) ? question.what : null;
  const hasLapsed = question !== null && asking === null;
  return useMemo(
    () => ({
      asking,
      hasLapsed,
      ask: (what) => setQuestion({ what, drawId: drawIdOf(what) }),
      close: () => setQuestion(null),
    }),
    [asking, hasLapsed, drawIdOf],
  );
}
