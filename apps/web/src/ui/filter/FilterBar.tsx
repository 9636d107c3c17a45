import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { Button, VisuallyHidden, ActionIcon, Popover } from '@mantine/core';
import { IconFilter, IconX, IconPlus } from '@tabler/icons-react';
import { useState, useRef, type CSSProperties } from 'react';
import { clearFiltersChange, periodChange, namesOf, type ListChange, type ListState } from '../../lib/list/listUrl.ts';
import { DATE_RANGE } from '../../lib/format/periods.ts';
import type { ListView } from '../../lib/list/useList.ts';
import { ServerDaysNote } from '../page/Notes.tsx';
import { Sheet } from '../dialog/Dialog.tsx';
import { FilterForm } from './FilterForm.tsx';
import type { PeriodBar } from './PeriodBar.tsx';
import { SearchField } from './SearchField.tsx';
import classes from './FilterBar.module.css';
import { lazyPart } from '../../lib/lazyParts.ts';
import { filterText } from '../../lib/list/filterText.ts';
import { filterTexts } from '../listTexts.ts';
import { useIsPhone } from '../useWidth.ts';

/** Lazy because of its calendars. */
const DayInput = lazyPart(async () => (await import('./DayInput.tsx')).DayInput, <span className={classes.day} />);

interface FilterBarProps {
  view: Pick<ListView<never>, 'list' | 'state' | 'period' | 'narrowed' | 'change'>;
  chips?: Readonly<Record<string, string>> | undefined;
  /** Only pages with a period load it. */
  Periods?: typeof PeriodBar | undefined;
}

const OF_DAYS: readonly ListFilter['kind'][] = ['day', 'period'];
const FOLDED: readonly ListFilter['kind'][] = ['choice', 'points', 'days'];

export function FilterBar({ view, chips, Periods }: FilterBarProps) {
  const { list, state, narrowed, change } = view;
  const phone = useIsPhone();
  const folded = list.filters.filter(({ kind }) => FOLDED.includes(kind));
  return (
    <>
      {list.search !== undefined && (
        <div className={classes.search} style={{ '--letters': list.search.length } as CSSProperties}>
          <SearchField
            label={list.search}
            value={state['search'] ?? ''}
            // Typing adds one history entry, not one per letter.
            onChange={(text) => change({ search: text }, state['search'] === undefined ? undefined : 'replace')}
            width="100%"
          />
        </div>
      )}
      {list.filters.map((filter) => (
        <FilterControl key={filter.name} filter={filter} view={view} chips={chips} Periods={Periods} phone={phone} />
      ))}
      {list.filters.some(({ kind }) => OF_DAYS.includes(kind)) && <ServerDaysNote />}
      {phone && folded.length > 0 && <FilterSheet view={view} filters={folded} />}
      {!phone && folded.filter(({ name }) => narrowed.includes(name)).length > 1 && (
        <Button
          variant="subtle"
          size="xs"
          px={8}
          onClick={() => change({ ...clearFiltersChange(list), search: state['search'] })}
        >
          {filterTexts.clearFilters}
        </Button>
      )}
    </>
  );
}

interface FilterControlProps extends FilterBarProps {
  filter: ListFilter;
  phone: boolean;
}

function FilterControl({ filter, view: { state, period, change }, chips, Periods, phone }: FilterControlProps) {
  switch (filter.kind) {
    case 'id':
      return (
        state[filter.name] !== undefined && (
          <Button
            variant="default"
            size="xs"
            className={classes.only}
            onClick={() => change({ [filter.name]: undefined })}
            rightSection={<IconX size={14} aria-hidden />}
          >
            {chips?.[filter.name] ?? filter.label}
            <VisuallyHidden>{filterTexts.remove}</VisuallyHidden>
          </Button>
        )
      );
    case 'day':
      return (
        <DayInput
          aria-label={filter.label}
          placeholder={filterTexts.anyDay}
          w={160}
          value={state[filter.name] ?? ''}
          onChange={(day) => change({ [filter.name]: day })}
        />
      );
    case 'period':
      return (
        Periods && (
          <Periods
            {...period}
            onPeriod={(chosen) => change(periodChange(chosen))}
            onRange={(days) => change(periodChange(DATE_RANGE, days))}
          />
        )
      );
    default:
      return !phone && <FilterChip filter={filter} state={state} onChange={change} />;
  }
}

function FilterSheet({ view, filters }: { view: FilterBarProps['view']; filters: readonly ListFilter[] }) {
  const [opened, setOpened] = useState(false);
  const [calendar, setCalendar] = useState(false);
  const active = filters.filter(({ name }) => view.narrowed.includes(name)).length;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        className={classes.only}
        data-active={active > 0 || undefined}
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {active === 0 ? filterTexts.filters : `Filters (${active})`}
      </Button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        closeOnEscape={!calendar}
        title={filterTexts.filters}
        position="bottom"
        styles={{ title: { fontWeight: 600 }, content: { height: 'auto', maxHeight: '85dvh' } }}
      >
        <FilterForm
          filters={filters}
          state={view.state}
          apply="Show"
          onApply={(change) => {
            setOpened(false);
            view.change(change);
          }}
          onCalendar={setCalendar}
        />
      </Sheet>
    </>
  );
}

interface FilterChipProps {
  filter: ListFilter;
  state: ListState;
  onChange: (change: ListChange) => void;
}

function FilterChip({ filter, state, onChange }: FilterChipProps) {
  const [opened, setOpened] = useState(false);
  const [calendar, setCalendar] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const text = filterText(filter, state);
  function apply(change: ListChange) {
    setOpened(false);
    onChange(change);
  }
  return (
    <span className={classes.chip} data-active={text !== null || undefined}>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={320}
        portalProps={{ target: 'main' }}
        closeOnEscape={!calendar}
        // The calendar popup lies outside the chip's popover.
        closeOnClickOutside={!calendar}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            ref={target}
            variant="default"
            size="xs"
            className={classes.name}
            leftSection={text === null ? <IconPlus size={14} aria-hidden /> : undefined}
            // Distinguishes it from the column's sort button.
            aria-label={text === null ? filterTexts.filterBy(filter.label) : undefined}
            onClick={() => setOpened((now) => !now)}
          >
            {text === null ? filter.label : `${filter.label}: ${text}`}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterForm filters={[filter]} state={state} apply="Apply" onApply={apply} onCalendar={setCalendar} />
        </Popover.Dropdown>
      </Popover>
      {text !== null && (
        <ActionIcon
          variant="default"
          className={classes.clear}
          aria-label={filterTexts.clearFilter(filter.label)}
          title={filterTexts.clear}
          onClick={() => {
            // The focused button is about to disappear.
            target.current?.focus();
            onChange(Object.fromEntries(namesOf(filter).map((name) => [name, undefined])));
          }}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}
