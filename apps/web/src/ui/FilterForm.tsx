import type { ListFilter } from '@drawhouse/contract/frame/list-filters';
import { Button, Group, Skeleton, TextInput } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { filterErrors, plainAmount } from '../lib/filterText.ts';
import { namesOf } from '../lib/listUrl.ts';
import type { ListChange, ListState } from '../lib/listUrl.ts';
import { ChoiceButton } from './ChoiceButton.tsx';
import classes from './FilterForm.module.css';

/** Calendars are fetched when they are needed: most lists have none in sight. */
const DayRangeInputs = lazy(async () => ({ default: (await import('./DayRangeInputs.tsx')).DayRangeInputs }));

interface FilterFormProps {
  filters: readonly ListFilter[];
  state: ListState;
  /** What the main button says. */
  apply: string;
  onApply: (change: ListChange) => void;
  /** Told when a calendar opens and closes, so that Escape closes one thing at a time. */
  onCalendar: (opened: boolean) => void;
}

/** The fields of filters, filled in before they narrow the list together. The choice of a single filter narrows at once. */
export function FilterForm({ filters, state, apply, onApply, onCalendar }: FilterFormProps) {
  const names = filters.flatMap((filter) => namesOf(filter));
  const kept = Object.fromEntries(names.map((name) => [name, state[name] ?? '']));
  const [draft, setDraft] = useState<Record<string, string>>(kept);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const errors = tried ? Object.assign({}, ...filters.map((filter) => filterErrors(filter, draft))) : {};
  const [only] = filters.length === 1 ? filters : [];
  const set = (change: Record<string, string>) => setDraft((now) => ({ ...now, ...change }));

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = Object.assign({}, ...filters.map((filter) => filterErrors(filter, draft)));
    if (Object.keys(wrong).length === 0) {
      onApply(draft);
      return;
    }
    flushSync(() => setTried(true));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  function choose(name: string, value: string) {
    if (only) onApply({ [name]: value });
    else set({ [name]: value });
  }

  return (
    <form ref={form} noValidate className={classes.form} onSubmit={submit}>
      {filters.map((filter) => (
        <fieldset key={filter.name} className={classes.filter}>
          <legend className={classes.legend}>{filter.label}</legend>
          {filter.kind === 'choice' && (
            <div className={classes.choices}>
              <ChoiceButton type="button" chosen={!draft[filter.name]} onClick={() => choose(filter.name, '')}>
                Any
              </ChoiceButton>
              {Object.entries(filter.options ?? {}).map(([value, label]) => (
                <ChoiceButton
                  key={value}
                  type="button"
                  chosen={draft[filter.name] === value}
                  onClick={() => choose(filter.name, value)}
                >
                  {label}
                </ChoiceButton>
              ))}
            </div>
          )}
          {filter.kind === 'points' && (
            <div className={classes.pair}>
              {namesOf(filter).map((name, index) => (
                <TextInput
                  key={name}
                  label={ENDS[index]}
                  name={name}
                  inputMode="decimal"
                  autoComplete="off"
                  value={draft[name]}
                  error={errors[name]}
                  onChange={(event) => set({ [name]: plainAmount(event.currentTarget.value) })}
                />
              ))}
            </div>
          )}
          {filter.kind === 'days' && (
            <Suspense fallback={<Skeleton height={57} />}>
              <DayRangeInputs
                names={namesOf(filter)}
                values={draft}
                errors={errors}
                onChange={set}
                onCalendar={onCalendar}
              />
            </Suspense>
          )}
        </fieldset>
      ))}
      {only?.kind !== 'choice' && (
        <Group gap="xs">
          <Button type="submit" size="xs">
            {apply}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={names.every((name) => !draft[name] && !kept[name])}
            onClick={() => onApply(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            {only ? 'Clear' : 'Clear all'}
          </Button>
        </Group>
      )}
    </form>
  );
}

const ENDS = ['From', 'To'];
