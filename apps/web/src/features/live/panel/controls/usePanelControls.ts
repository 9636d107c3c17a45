import type { Panel } from '@drawhouse/contract/live/live';
import { useCallback, useState } from 'react';
import { useUnsavedInput } from '../../../../lib/navigation.ts';
import { canDeclare, phaseAt, useServerClock, type Phase } from '../../drawClock.ts';
import { titleOf } from '../../liveFormat.ts';
import type { LivePanel } from '../feed/usePanel.ts';
import { isDeclared, isDecidedByBeacon } from '../panelMath.ts';
import { useChoice, type Choice } from './useChoice.ts';
import { usePanelActions, type PanelActions } from './usePanelActions.ts';
import { reload } from '../../../../lib/server/queryClient.ts';

export interface PanelControls {
  readonly phase: Phase;
  readonly isOpen: boolean;
  readonly disabled: boolean;
  /** A beacon decides: results are final. */
  readonly leftToBeacon: boolean;
  readonly locked: boolean;
  /** Past draw whose outside result is entered; null: the running draw. */
  readonly awaited: Panel['awaited'][number] | null;
  /** Settled draw whose outside result is being corrected. */
  readonly correcting: Panel['correctable'][number] | null;
  /** The running draw's result can be saved. */
  readonly canSave: boolean;
  readonly aimAt: (drawId: string) => void;
  readonly choice: Choice;
  readonly actions: PanelActions;
}

/** `still`: see `usePanelWithoutStakes`. */
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
  // A past draw has its own stakes.
  const figures = past ? { ...panel, stakes: past.stakes, totalsumdata: past.staked } : panel;
  const choice = useChoice(figures, locked, past?.drawId ?? panel.draw?._id ?? '');
  const { title, of } = titleOf(choice.layout, still);
  const actions = usePanelActions(`${title} ${of}`, still, past?.drawId, onDone);
  useUnsavedInput(!choice.isEmpty);
  return {
    phase,
    isOpen: phase === 'open',
    disabled,
    leftToBeacon,
    locked,
    awaited,
    correcting,
    canSave,
    aimAt,
    choice,
    actions,
  };
}
