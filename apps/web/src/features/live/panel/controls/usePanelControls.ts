import type { Panel } from '@drawhouse/contract/live/live';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useUnsavedInput } from '../../../../lib/navigation.ts';
import { queryKeys } from '../../../../lib/server/queryKeys.ts';
import { canDeclare, phaseAt } from '../../drawClock.ts';
import { titleOf } from '../../liveFormat.ts';
import { useServerClock } from '../../useServerClock.ts';
import type { Phase } from '../../drawClock.ts';
import type { LivePanel } from '../feed/usePanel.ts';
import { isDeclared, isDecidedByBeacon } from '../panelMath.ts';
import { useChoice } from './useChoice.ts';
import type { Choice } from './useChoice.ts';
import { usePanelActions } from './usePanelActions.ts';
import type { PanelActions } from './usePanelActions.ts';

export interface PanelControls {
  readonly phase: Phase;
  readonly isOpen: boolean;
  readonly disabled: boolean;
  /** A beacon decides: results are final. */
  readonly leftToBeacon: boolean;
  readonly locked: boolean;
  /** Past draw whose outside result is entered; null: the running draw. */
  readonly awaited: Panel['awaited'][number] | null;
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
  const queryClient = useQueryClient();
  const onDone = useCallback(() => {
    refresh();
    // Also shown in the top bar.
    void queryClient.invalidateQueries({ queryKey: [queryKeys.credit] });
  }, [refresh, queryClient]);
  const phase = useServerClock(offset, (now) => phaseAt(panel, now));
  const leftToBeacon = useServerClock(offset, (now) => isDecidedByBeacon(panel, now));
  const disabled = !canDeclare(phase);
  const [wanted, aimAt] = useState<string | null>(null);
  const canSave = !disabled && !leftToBeacon && isDeclared(panel);
  const awaited =
    panel.awaited.find(({ drawId }) => drawId === wanted) ?? (canSave ? null : (panel.awaited[0] ?? null));
  const locked = !canSave && awaited === null;
  // A past draw has its own stakes.
  const figures = awaited ? { ...panel, stakes: awaited.stakes, totalsumdata: awaited.staked } : panel;
  const choice = useChoice(figures, locked, awaited?.drawId ?? panel.draw?._id ?? '');
  const { title, of } = titleOf(choice.layout, still);
  const actions = usePanelActions(`${title} ${of}`, still, awaited?.drawId, onDone);
  useUnsavedInput(!choice.isEmpty);
  return { phase, isOpen: phase === 'open', disabled, leftToBeacon, locked, awaited, canSave, aimAt, choice, actions };
}
