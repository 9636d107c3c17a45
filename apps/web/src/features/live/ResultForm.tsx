import type { Panel } from '@drawhouse/contract/live';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { FormEvent } from 'react';
import { formatPoints } from '../../lib/format.ts';
import { OutcomeImage } from '../../ui/pictures/OutcomeImage.tsx';
import { pictureFor } from '../../ui/pictures/pictureSets.ts';
import { outcomeName } from './liveFormat.ts';
import { LIVE } from './liveMessages.ts';
import { consequence } from './panelMath.ts';
import type { Consequence } from './panelMath.ts';
import type { PanelActions } from './usePanelActions.ts';
import { useTimedMessage } from './useTimedMessage.ts';
import classes from './PanelControls.module.css';

/** The result that the operator is about to save. */
export interface Choice {
  selected: string | null;
  booster: number;
  setBooster: (booster: number) => void;
  /** After a save: nothing is selected and the booster is 1 again. */
  clear: () => void;
}

interface ResultFormProps {
  panel: Panel;
  choice: Choice;
  actions: PanelActions;
  /** No result can be saved for this draw any more. */
  disabled: boolean;
  /** One row for the dock of a phone. */
  compact?: boolean;
}

/** Selected result, booster, and SAVE, which asks nothing. */
export function ResultForm({ panel, choice, actions, disabled, compact = false }: ResultFormProps) {
  const noteId = useId();
  const [error, showError] = useTimedMessage();
  // A choice answers what was missing: its payout takes the place of the message.
  const row = panel.data.find((outcome) => outcome.drawno === choice.selected);
  const shown = row ? null : error;
  const boosters = Array.from({ length: panel.maxBooster }, (_, i) => ({ value: String(i + 1), label: `${i + 1} X` }));
  const picture = row && pictureFor(panel, row);
  const outcome = row && consequence(row, choice.booster, panel.totalsumdata);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!row) {
      showError(LIVE.invalidResult);
      return;
    }
    showError(null);
    if (await actions.save(row.drawno, choice.booster)) choice.clear();
  }

  return (
    <form
      className={compact ? classes.dockForm : `${classes.section} ${classes.resultForm}`}
      noValidate
      aria-label="Result"
      onSubmit={(event) => void submit(event)}
    >
      <TextInput
        readOnly
        label={compact ? 'Result' : 'Selected result'}
        // The dock has no room for both: there the picture says the name.
        value={row ? (compact && picture ? row.drawno : outcomeName(row)) : ''}
        leftSection={picture && <OutcomeImage {...picture} size={24} name={compact ? row.label : undefined} />}
        placeholder={compact ? 'None' : 'Choose an outcome'}
        error={shown !== null}
        aria-describedby={noteId}
        classNames={{ input: classes.selected, root: classes.grow }}
        data-chosen={row ? true : undefined}
      />
      <NativeSelect
        label="Booster"
        data={boosters}
        value={String(choice.booster)}
        disabled={disabled}
        onChange={(event) => choice.setBooster(Number(event.currentTarget.value))}
        className={compact ? classes.dockBooster : undefined}
      />
      <p
        id={noteId}
        className={compact ? classes.dockNote : classes.note}
        aria-live="polite"
        data-error={shown !== null || undefined}
      >
        {shown ?? (compact ? null : <Outcome of={outcome} />)}
      </p>
      <Button
        type="submit"
        size={compact ? 'md' : 'lg'}
        fullWidth={!compact}
        className={compact ? classes.dockSave : undefined}
        loading={actions.busy === 'save'}
        disabled={disabled || actions.busy !== null}
      >
        {LIVE.save}
      </Button>
    </form>
  );
}

function Outcome({ of }: { of: Consequence | undefined }) {
  if (!of) return 'Each outcome shows what it pays and leaves.';
  return (
    <>
      Pays {formatPoints(of.pays)}, leaves{' '}
      <span data-sign={of.leaves < 0 ? 'loss' : undefined}>{formatPoints(of.leaves)}</span>
    </>
  );
}
