import type { Panel } from '@drawhouse/contract/live/live';
import { Button, Input, TextInput } from '@mantine/core';
import { useId, useRef, useState, memo, type FormEvent } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { useUnsavedInput } from '../../../../lib/navigation.ts';
import { liveTexts } from '../../liveTexts.ts';
import { LEAST_BALANCE, readBalance } from '../panelMath.ts';
import type { PanelActions } from './usePanelActions.ts';
import { useTimedMessage } from '../../../../lib/form/timedMessage.ts';
import classes from './PanelControls.module.css';
import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';

export const BalanceForm = memo(function BalanceForm({ panel, actions }: { panel: Panel; actions: PanelActions }) {
  const [text, setText] = useState('');
  const [wrong, showWrong] = useTimedMessage();
  // Shown until the amount changes.
  const [refused, setRefused] = useState<string | null>(null);
  const error = wrong ?? refused;
  useUnsavedInput(text !== '');
  const fieldId = useId();
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { gameBalance, winpercentage } = panel.percentageData[0] ?? { gameBalance: 0, winpercentage: null };

  async function submit(event: FormEvent) {
    event.preventDefault();
    const amount = readBalance(text);
    if (amount === null) {
      showWrong(GAME_FIELD_TEXTS.wrongBalance);
      input.current?.focus();
      return;
    }
    const { isDone, beyond } = await actions.add(amount);
    if (isDone) setText('');
    setRefused(beyond);
  }

  return (
    <section className={classes.section} aria-label={liveTexts.balanceHeading}>
      <div className={classes.figure}>
        <span className={classes.figureLabel}>{liveTexts.balanceHeading}</span>
        <span className={classes.figureValue} data-loss={gameBalance < 0 || undefined}>
          {formatPoints(gameBalance)}
        </span>
      </div>
      <div className={classes.figure}>
        <span className={classes.figureLabel}>{liveTexts.winPercentage}</span>
        <span>{winpercentage === null ? liveTexts.notSet : `${winpercentage} %`}</span>
      </div>
      {panel.table.lacking > 0 && (
        <output className={classes.lacking}>{liveTexts.lacking(formatPoints(panel.table.lacking))}</output>
      )}
      <form className={classes.balanceForm} noValidate onSubmit={(event) => void submit(event)}>
        <Input.Label htmlFor={fieldId} className={classes.balanceLabel}>
          {liveTexts.balanceAdd}
        </Input.Label>
        <TextInput
          ref={input}
          id={fieldId}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            showWrong(null);
            setRefused(null);
          }}
          error={error !== null}
          aria-describedby={noteId}
          type="number"
          min={LEAST_BALANCE}
          step="any"
          // The wheel scrolls the page instead of changing the amount.
          onWheel={(event) => event.currentTarget.blur()}
          inputMode="decimal"
          className={classes.grow}
        />
        <Button type="submit" variant="default" loading={actions.busy === 'add'} disabled={actions.busy !== null}>
          {liveTexts.addBalance}
        </Button>
        <p id={noteId} className={classes.balanceNote} aria-live="polite" data-error={error !== null || undefined}>
          {error}
        </p>
      </form>
    </section>
  );
});
