import { addWeekNote, DISPUTED, NOTE_KINDS, type NoteKind } from '@drawhouse/contract/weeks/close-weeks';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { weekDays } from '@drawhouse/contract/weeks/week-sheet';
import { NativeSelect, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { CallForm, SubmitButton } from '../../ui/form/CallForm.tsx';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import classes from './weeks.module.css';
import { noteTexts as texts } from './weeksTexts.ts';

type Sheet = NonNullable<RouteAnswer<(typeof weekDays)['route']>['sheet']>;

interface WeekNotesProps {
  accountId: string;
  day: string;
  sheet: Pick<Sheet, 'notes' | 'state'>;
}

interface NoteForm {
  kind: NoteKind;
  about: keyof typeof DISPUTED;
  note: string;
}

export function WeekNotes({ accountId, day, sheet: { notes, state } }: WeekNotesProps) {
  const bodyOf = ({ kind, about, note }: NoteForm) => ({
    accountId,
    day,
    kind,
    note,
    ...(kind === 'dispute' && { about }),
  });
  const { _id, username } = useUser();
  const isToAnswer = state === 'disputed' && notes.findLast(({ kind }) => kind === 'dispute')?.by !== username;
  const form = useForm<NoteForm>({
    initialValues: { kind: isToAnswer ? 'answer' : 'note', about: 'balance', note: '' },
    validate: (values) => schemaErrors(addWeekNote.body!, bodyOf(values)),
  });
  const adding = useFormCall(form, {
    send: (values) => call(addWeekNote, { body: bodyOf(values) }),
    onDone: () => {
      form.setInitialValues({ kind: 'note', about: 'balance', note: '' });
      form.reset();
      void reload(['reports'], ['notices']);
    },
  });
  const offered: Readonly<Record<string, boolean>> = {
    dispute: state === 'open',
    answer: state === 'disputed',
    reminder: accountId !== _id,
  };
  const kinds = texts.kinds.filter(({ value }) => offered[value] ?? true);
  return (
    <section className={classes.notes} aria-label={texts.notes}>
      <h2>{texts.notes}</h2>
      {state === 'disputed' && <Text c="var(--dh-loss)">{texts.isOpen}</Text>}
      {notes.length === 0 && <Text c="var(--dh-text-muted)">{texts.none}</Text>}
      <ul>
        {notes.map((note) => (
          <li key={note._id}>
            <DateTime value={note.at} /> <b>{note.by}</b> {NOTE_KINDS[note.kind]}
            {note.about !== '' && ` (${DISPUTED[note.about as keyof typeof DISPUTED]})`}: {note.note}
          </li>
        ))}
      </ul>
      <CallForm
        label={texts.notes}
        call={adding}
        className={classes.form}
        foot={<SubmitButton loading={adding.busy}>{texts.add}</SubmitButton>}
      >
        <NativeSelect label={texts.kind} data={kinds} {...form.getInputProps('kind')} />
        {form.values.kind === 'dispute' && (
          <NativeSelect
            label={texts.about}
            data={Object.entries(DISPUTED).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('about')}
          />
        )}
        <Textarea label={texts.text} autosize minRows={2} maxLength={500} {...form.getInputProps('note')} />
      </CallForm>
    </section>
  );
}
