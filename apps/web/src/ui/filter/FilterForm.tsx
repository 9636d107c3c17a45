import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { Button, Group, Skeleton, TextInput } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../lib/lazyParts.ts';
import { filterErrors, plainAmount } from '../../lib/list/filterText.ts';
import { namesOf, type ListChange, type ListState } from '../../lib/list/listUrl.ts';
import { ChoiceButton } from '../form/Choices.tsx';
import { ServerDaysNote } from '../page/Notes.tsx';
import classes from './FilterForm.module.css';
import { filterTexts } from '../listTexts.ts';

/** Lazy: most lists show no calendar. */
const DayRangeInputs = lazyPart(async () => (await import('./DayInput.tsx')).DayRangeInputs, <Skeleton height={57} />);

interface FilterFormProps {
  filters: readonly ListFilter[];
  state: ListState;
  apply: string;
  onApply: (change: ListChange) => void;
  /** Lets Escape close the calendar before its container. */
  onCalendar: (opened: boolean) => void;
}

/** Applies several filters together on submit, and a single choice filter at once. */
export function FilterForm({ filters, state, apply, onApply, onCalendar }: FilterFormProps) {
  const names = filters.flatMap((filter) => namesOf(filter));
  const values = Object.fromEntries(names.map((name) => [name, state[name] ?? '']));
  const [draft, setDraft] = useState<Record<string, string>>(values);
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
          {filter.kind === 'days' && <ServerDaysNote />}
          <FilterField
            filter={filter}
            draft={draft}
            errors={errors}
            set={set}
            choose={choose}
            onCalendar={onCalendar}
          />
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
            disabled={names.every((name) => !draft[name] && !values[name])}
            onClick={() => onApply(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            {only ? filterTexts.clear : filterTexts.clearAll}
          </Button>
        </Group>
      )}
    </form>
  );
}

interface FilterFieldProps {
  filter: ListFilter;
  draft: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  set: (change: Record<string, string>) => void;
  choose: (name: string, value: string) => void;
  onCalendar: (opened: boolean) => void;
}

function FilterField({ filter, draft, errors, set, choose, onCalendar }: FilterFieldProps) {
  switch (filter.kind) {
    case 'choice':
      return (
        <ChoiceField filter={filter} value={draft[filter.name]} onChoose={(value) => choose(filter.name, value)} />
      );
    case 'points':
      return <PointsFields names={namesOf(filter)} values={draft} errors={errors} onChange={set} />;
    case 'days':
      return (
        <DayRangeInputs names={namesOf(filter)} values={draft} errors={errors} onChange={set} onCalendar={onCalendar} />
      );
    default:
      return null;
  }
}

interface ChoiceFieldProps {
  filter: ListFilter;
  value: string | undefined;
  onChoose: (value: string) => void;
}

function ChoiceField({ filter, value, onChoose }: ChoiceFieldProps) {
  return (
    <div className={classes.choices}>
      <ChoiceButton type="button" chosen={!value} onClick={() => onChoose('')}>
        {filterTexts.any}
      </ChoiceButton>
      {Object.entries(filter.options ?? {}).map(([each, label]) => (
        <ChoiceButton key={each} type="button" chosen={value === each} onClick={() => onChoose(each)}>
          {label}
        </ChoiceButton>
      ))}
    </div>
  );
}

const ENDS = ['From', 'To'];

interface PointsFieldsProps {
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  onChange: (change: Record<string, string>) => void;
}

function PointsFields({ names, values, errors, onChange }: PointsFieldsProps) {
  return (
    <div className={classes.pair}>
      {names.map((name, index) => (
        <TextInput
          key={name}
          label={ENDS[index]}
          name={name}
          inputMode="decimal"
          value={values[name]}
          error={errors[name]}
          onChange={(event) => onChange({ [name]: plainAmount(event.currentTarget.value) })}
        />
      ))}
    </div>
  );
}
