import { gameList } from '@drawhouse/contract/games/game-catalogue';
import type { AheadDraw } from '@drawhouse/contract/games/schedules';
import { outsideSource, type DrawTimes } from '@drawhouse/rules/time/clock-slots';
import { Checkbox, Group, MultiSelect, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { AsideColumn } from '../../../ui/form/FormPage.tsx';
import { scheduleTexts as texts } from '../gameTexts.ts';
import classes from '../games.module.css';
import { gamesAhead, previewOf, readSchedule, type ScheduleForm } from './scheduleForm.ts';

interface ScheduleFieldsProps {
  form: UseFormReturnType<ScheduleForm>;
  timeZone: string;
  ahead: readonly AheadDraw[];
}

export function ScheduleFields({ form, timeZone, ahead }: ScheduleFieldsProps) {
  const text = (field: keyof ScheduleForm) => ({ autoComplete: 'off', ...form.getInputProps(field) });
  const fields = (
    <>
      <TextInput label={texts.name} {...text('name')} />
      <TextInput label={texts.times} description={texts.timesHint(timeZone)} {...text('times')} />
      <Checkbox.Group label={texts.weekdays} {...form.getInputProps('weekdays')}>
        <Group gap="md" mt={6}>
          {texts.weekdayNames.map((name, weekday) => (
            <Checkbox key={name} value={String(weekday)} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput label={texts.daysOff} description={texts.daysHint} {...text('daysOff')} />
      <TextInput label={texts.daysOn} description={texts.daysOnHint} {...text('daysOn')} />
      <TextInput label={texts.opensAt} description={texts.opensHint} {...text('opensAt')} />
      <TextInput
        label={texts.closesBefore}
        description={texts.closesHint}
        inputMode="numeric"
        {...text('closesBefore')}
      />
      <Textarea label={texts.sources} description={texts.sourcesHint} autosize minRows={2} {...text('sources')} />
      {form.values.sources.trim() !== '' && (
        <TextInput
          label={texts.voidAfter}
          description={texts.voidAfterHint}
          inputMode="numeric"
          {...text('voidAfter')}
        />
      )}
      <GamesField form={form} />
    </>
  );
  return (
    <AsideColumn fields={fields}>
      <Preview form={form.values} timeZone={timeZone} ahead={ahead} />
    </AsideColumn>
  );
}

function GamesField({ form }: Pick<ScheduleFieldsProps, 'form'>) {
  const { data, error } = useQuery(callQuery(['games', 'of-schedule'], gameList.route, {}));
  const input = form.getInputProps('games') as { error?: string; value: string[]; onChange: (ids: string[]) => void };
  return (
    <MultiSelect
      label={texts.games}
      description={texts.gamesHint}
      data={(data?.data ?? []).map(({ _id, gameName }) => ({ value: _id, label: gameName }))}
      searchable
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': texts.clearGames }}
      nothingFoundMessage={texts.noSuchGame}
      {...input}
      error={input.error ?? (error && <FailureText message={errorMessage(error)} />)}
    />
  );
}

function Preview({ form, timeZone, ahead }: Omit<ScheduleFieldsProps, 'form'> & { form: ScheduleForm }) {
  const [now] = useState(() => new Date());
  const draws = useMemo(() => previewOf(form, timeZone, now), [form, timeZone, now]);
  return (
    <section className={classes.use} aria-label={texts.preview} aria-live="polite">
      <p className={classes.lead}>
        <strong>{texts.preview}</strong>
      </p>
      {draws === null || draws.length === 0 ? (
        <Text size="sm" c="dimmed">
          {draws === null ? texts.previewEmpty : texts.previewNone}
        </Text>
      ) : (
        <ol className={classes.draws}>
          {draws.map((draw) => (
            <li key={draw.number}>
              <span>{momentIn(draw.drawsAt, timeZone)}</span>{' '}
              <small>
                {bettingText(draw, timeZone)}
                {sourceText(form, draw, timeZone)}
              </small>
              <Ahead games={gamesAhead(draw, ahead, form.games)} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Ahead({ games }: { games: readonly string[] }) {
  if (games.length === 0) return null;
  return <small className={classes.ahead}>{texts.ahead(games.join(', '))}</small>;
}

function sourceText(form: ScheduleForm, { drawsAt }: DrawTimes, timeZone: string): string {
  const { times, sources, ...plan } = readSchedule(form);
  const source = outsideSource(drawsAt, { ...plan, times, sources: sources ?? {} }, timeZone);
  return source === null ? '' : texts.decidedBy(source);
}

function bettingText({ opensAt, closesAt, drawsAt }: DrawTimes, timeZone: string): string {
  const day = dayIn(drawsAt, timeZone);
  const shown = (at: Date): string => (dayIn(at, timeZone) === day ? clockIn(at, timeZone) : momentIn(at, timeZone));
  return texts.betting(shown(opensAt), shown(closesAt));
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { weekday: 'short', day: '2-digit', month: 'short' } as const;

const inZone = (at: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', options).format(at);
const clockIn = (at: Date, timeZone: string): string => inZone(at, { ...CLOCK, timeZone });
const dayIn = (at: Date, timeZone: string): string => inZone(at, { ...DAY, timeZone });

export function momentIn(at: Date, timeZone: string): string {
  return `${dayIn(at, timeZone)}, ${clockIn(at, timeZone)}`;
}
