import type { Panel } from '@drawhouse/contract/live/live';
import { declarationOf, selectionOf } from '@drawhouse/rules/layout';
import { rulesFor } from '@drawhouse/rules/rules';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { memo } from 'react';
import { useUser } from '../../../lib/useSession.ts';
import { formatClock } from '../liveFormat.ts';
import { gameOf } from './panelMath.ts';
import type { PanelActions } from './usePanelActions.ts';
import classes from './PanelControls.module.css';

interface SavedResultProps {
  panel: Panel;
  actions: PanelActions;
  /** The draw has its result, or there is none. */
  disabled: boolean;
  /** For the dock of a phone. */
  compact?: boolean;
}

/** A saved result that takes a second person: whom it waits for, how it is confirmed, and who has. */
export const SavedResult = memo(function SavedResult({ panel, actions, disabled, compact = false }: SavedResultProps) {
  const user = useUser();
  const { saved } = panel;
  if (!saved || disabled) return null;
  const isOwn = saved.byId === user._id;
  const what = `${saved.result}, booster ${saved.booster} X`;
  if (!saved.waits) {
    return compact || saved.confirmedBy === null ? null : (
      <section className={classes.section} aria-label="Saved result">
        <p className={classes.savedText}>
          {saved.by} saved {what}, and {saved.confirmedBy} confirmed it
          {saved.sameAddress && ' from the same address'}. Saving another one asks for both again.
        </p>
      </section>
    );
  }
  return (
    <section className={compact ? classes.dockSaved : classes.section} aria-label="Saved result">
      <p className={classes.savedText}>
        {isOwn
          ? `You saved ${what}. A second person confirms it, or saves another.`
          : `${saved.by} saved ${what} at ${formatClock(saved.at)}. Confirm it, or save another for ${saved.by} to confirm.`}
      </p>
      {!isOwn && (
        <Button
          variant="filled"
          fullWidth={!compact}
          size={compact ? 'sm' : 'md'}
          className={classes.confirm}
          leftSection={<IconCheck size={18} aria-hidden />}
          loading={actions.busy === 'confirm'}
          disabled={actions.busy !== null}
          onClick={() =>
            void actions.confirm(declarationOf(rulesFor(gameOf(panel)), selectionOf(saved.outcome)), saved.booster)
          }
        >
          {/* Several numbers are listed beneath the grid. */}
          {'winners' in saved.outcome ? 'Confirm the result' : `Confirm ${saved.result}`}
        </Button>
      )}
    </section>
  );
});
