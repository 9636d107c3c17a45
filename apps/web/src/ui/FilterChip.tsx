import type { ListFilter } from '@drawhouse/contract/frame/list-filters';
import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { filterText } from '../lib/filterText.ts';
import { namesOf } from '../lib/listUrl.ts';
import type { ListChange, ListState } from '../lib/listUrl.ts';
import { FilterForm } from './FilterForm.tsx';
import classes from './FilterBar.module.css';

interface FilterChipProps {
  filter: ListFilter;
  state: ListState;
  onChange: (change: ListChange) => void;
}

/** One filter of a list: what it keeps, its fields when it is opened, and a way to take it away. */
export function FilterChip({ filter, state, onChange }: FilterChipProps) {
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
        // What is chosen in a calendar lies outside of it.
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
            // A column of the same name has a button too.
            aria-label={text === null ? `Filter by ${filter.label}` : undefined}
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
          aria-label={`Clear the filter ${filter.label}`}
          title="Clear"
          onClick={() => {
            // The button itself will be gone.
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
