import { drawName } from '@drawhouse/rules/time/draw-name';
import type { Panel } from '@drawhouse/contract/live/live';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useId, useRef, memo, type FormEvent, type ReactNode } from 'react';
import { usePanelKey } from '../../grids/gridKeys.ts';
import { formatPoints } from '../../../../lib/format/format.ts';
import { useUser } from '../../../../lib/session/session.ts';
import { OutcomePicture } from '../../../../ui/pictures/OutcomePicture.ts';
import { liveTexts } from '../../liveTexts.ts';
import { payableOf, canConfirm, type Consequence } from '../panelMath.ts';
import { resultPicture } from '../../LiveMarks.tsx';
import type { PanelActions } from './usePanelActions.ts';
import type { Questions } from './usePanelControls.ts';
import { isOfParts, openSections, type Choice } from './useChoice.ts';
import { useTimedMessage } from '../../../../lib/form/timedMessage.ts';
import { formatMoment, shortDate } from '../../liveFormat.ts';
import classes from './PanelControls.module.css';
import { richText } from '@drawhouse/session/rich-text';

interface ResultFormProps {
  panel: Panel;
  choice: Choice;
  consequence: Consequence | null;
  actions: PanelActions;
  disabled: boolean;
  leftToBeacon: boolean;
  isOpen: boolean;
  awaited: Panel['awaited'][number] | null;
  correcting: Panel['correctable'][number] | null;
  canSave: boolean;
  aimAt: (drawId: string) => void;
  save: () => Promise<void>;
  questions: Questions;
  compact?: boolean;
}

/** Asks only if sections of the result lack a number. */
export const ResultForm = memo(function ResultForm({
  panel,
  choice,
  consequence,
  actions,
  disabled: isOver,
  leftToBeacon,
  isOpen,
  awaited,
  correcting,
  canSave,
  aimAt,
  save,
  questions,
  compact = false,
}: ResultFormProps) {
  const past = awaited ?? correcting;
  const disabled = past === null && !canSave;
  const aimedId = past?.drawId ?? panel.draw?._id ?? null;
  const user = useUser();
  const noteId = useId();
  const closesId = useId();
  const [error, showError] = useTimedMessage();
  const { result } = choice;
  const shown = result.ok ? null : error;
  const isSeveral = isOfParts(choice);
  const form = useRef<HTMLFormElement>(null);
  const canSubmit = !disabled && actions.busy === null && !choice.isEmpty;
  usePanelKey('s', canSubmit, () => form.current?.requestSubmit());

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!result.ok) {
      showError(result.message);
      return;
    }
    showError(null);
    if (correcting) questions.ask('correct');
    else if (openSections(choice).length > 0) questions.ask('incomplete');
    else await save();
  }

  return (
    <form
      ref={form}
      className={compact ? classes.dockForm : `${classes.section} ${classes.resultForm}`}
      noValidate
      aria-label={liveTexts.result}
      onSubmit={(event) => void submit(event)}
    >
      <AimSelect {...{ panel, aimedId, aimAt }} />
      <Selected panel={panel} choice={choice} compact={compact} isWrong={shown !== null} noteId={noteId} />
      {!compact && <PartLists panel={panel} choice={choice} disabled={disabled} />}
      {/* Outside results have booster 1. */}
      {past === null && <BoosterSelect panel={panel} choice={choice} disabled={disabled} compact={compact} />}
      <FormNote id={noteId} error={shown} {...{ isSeveral, compact }}>
        <Hint {...{ panel, choice, consequence, awaited, correcting }} />
      </FormNote>
      <Button
        type="submit"
        // If the user can confirm a result, that is the main action.
        variant={(awaited ? isToConfirm(awaited, user) : canConfirm(panel, user)) ? 'default' : 'filled'}
        size={compact ? 'md' : 'lg'}
        fullWidth={!compact}
        className={compact ? classes.dockSave : undefined}
        loading={actions.busy === 'save'}
        disabled={disabled || actions.busy !== null}
        aria-describedby={isOpen || leftToBeacon ? closesId : undefined}
        aria-keyshortcuts="S"
      >
        {correcting ? liveTexts.correct : liveTexts.save}
      </Button>
      {/* Stays in place, so that nothing moves when betting closes. */}
      <p id={closesId} className={compact ? classes.dockCloses : classes.closes}>
        {past === null &&
          (leftToBeacon && !isOver ? liveTexts.leftToBeacon : isOpen && canSave && liveTexts.savingCloses)}
      </p>
    </form>
  );
});

type HintProps = Pick<ResultFormProps, 'panel' | 'choice' | 'consequence' | 'awaited' | 'correcting'>;

function Hint({ panel, choice, consequence, awaited, correcting }: HintProps) {
  if (correcting) return liveTexts.chooseCorrect(correcting.result, formatMoment(correcting.until, panel.serverTime));
  if (awaited && !consequence) return liveTexts.chooseDrawn;
  return <Note {...{ choice, consequence }} payable={awaited ? Infinity : payableOf(panel)} />;
}

interface FormNoteProps {
  id: string;
  error: string | null;
  isSeveral: boolean;
  compact: boolean;
  children: ReactNode;
}

function FormNote({ id, error, isSeveral, compact, children }: FormNoteProps) {
  return (
    <p
      id={id}
      className={compact ? classes.dockNote : classes.note}
      aria-live="polite"
      data-error={error !== null || undefined}
      data-inline={isSeveral || undefined}
    >
      {error ?? (compact && !isSeveral ? null : children)}
    </p>
  );
}

function isToConfirm({ saved }: Panel['awaited'][number], { _id }: { _id: string }): boolean {
  return saved !== null && saved.byId !== _id;
}

/** Shown if the result of a past draw can be saved. */
function AimSelect({ panel, aimedId, aimAt }: Pick<ResultFormProps, 'panel' | 'aimAt'> & { aimedId: string | null }) {
  const draws = [
    // First even if its result can't be saved: otherwise another draw would look chosen.
    panel.draw
      ? { value: panel.draw._id, label: liveTexts.runningDraw(drawName(panel.draw.number)) }
      : { value: '', label: liveTexts.chooseDraw },
    ...panel.awaited.map(({ drawId, number, outside }) => ({
      value: drawId,
      label: `${outside}, ${shortDate(number)}`,
    })),
    ...panel.correctable.map(({ drawId, number, outside }) => ({
      value: drawId,
      label: liveTexts.correctOf(outside, shortDate(number)),
    })),
  ];
  if (panel.awaited.length + panel.correctable.length === 0) return null;
  return (
    <NativeSelect
      label={liveTexts.resultFor}
      data={draws}
      value={aimedId ?? ''}
      onChange={(event) => aimAt(event.currentTarget.value)}
      className={classes.aim}
    />
  );
}

function BoosterSelect({
  panel,
  choice,
  disabled,
  compact,
}: Pick<ResultFormProps, 'panel' | 'choice' | 'disabled'> & { compact: boolean }) {
  const boosters = Array.from({ length: panel.maxBooster }, (_, i) => ({ value: String(i + 1), label: `${i + 1} X` }));
  return (
    <NativeSelect
      label={liveTexts.booster}
      data={boosters}
      value={String(choice.booster)}
      disabled={disabled}
      onChange={(event) => choice.setBooster(Number(event.currentTarget.value))}
      className={compact ? classes.dockBooster : undefined}
    />
  );
}

interface SelectedProps {
  panel: Panel;
  choice: Choice;
  compact: boolean;
  isWrong: boolean;
  noteId: string;
}

function Selected({ panel, choice, compact, isWrong, noteId }: SelectedProps) {
  const { result } = choice;
  const picture = result.ok ? resultPicture(panel, result.result) : null;
  const isSeveral = isOfParts(choice);
  const several = result.ok && 'winners' in result.result;
  return (
    <TextInput
      readOnly
      label={compact ? liveTexts.result : liveTexts.selectedResult}
      // In the small dock, a picture replaces the name, and a count several numbers.
      value={compact && picture && !isSeveral ? picture.drawno : compact && several ? countText(choice) : choice.text}
      leftSection={
        picture && <OutcomePicture {...picture} size={24} name={compact && !isSeveral ? picture.label : undefined} />
      }
      placeholder={compact ? liveTexts.none : liveTexts.chooseOutcome}
      error={isWrong}
      aria-describedby={noteId}
      classNames={{ input: classes.selected, root: classes.grow }}
      data-chosen={choice.isEmpty ? undefined : true}
    />
  );
}

function PartLists({ panel, choice, disabled }: Pick<ResultFormProps, 'panel' | 'choice' | 'disabled'>) {
  const parts = choice.layout.sections.filter(({ list }) => list !== 'data');
  if (parts.length === 0) return null;
  return (
    <div className={classes.parts}>
      {parts.map(({ key, title, list, slot }) => (
        <NativeSelect
          key={key}
          label={title}
          disabled={disabled}
          value={choice.selection[slot] ?? ''}
          onChange={(event) => choice.toggle(slot, event.currentTarget.value || (choice.selection[slot] ?? ''))}
          data={[
            { value: '', label: liveTexts.none },
            ...panel[list].map(({ drawno, label }) => ({
              value: drawno,
              label: label.toLowerCase() === drawno ? label : `${label} ${drawno}`,
            })),
          ]}
        />
      ))}
    </div>
  );
}

function countText({ selection, layout }: Choice): string {
  return `${Object.keys(selection).length} of ${layout.sections.length}`;
}

interface NoteProps extends Pick<ResultFormProps, 'choice' | 'consequence'> {
  payable: number;
}

function Note({ choice: { dropped, missing }, consequence: of, payable }: NoteProps) {
  if (dropped) return liveTexts.typeDropped(dropped.label, dropped.color ?? '');
  if (missing.length > 0) return liveTexts.stillToChoose(missing);
  if (!of) return liveTexts.noteEmpty;
  return (
    <>
      {richText(liveTexts.paysKeeps, {
        pays: formatPoints(of.pays),
        span: <span data-sign={of.leaves < 0 ? 'loss' : undefined}>{formatPoints(of.leaves)}</span>,
        pays2: of.pays > payable && (
          <span data-sign="loss">{`. ${liveTexts.mayLackCover(formatPoints(payable))}`}</span>
        ),
      })}
    </>
  );
}
