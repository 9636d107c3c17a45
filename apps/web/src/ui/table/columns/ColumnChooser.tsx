import { Button, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState, useMemo, useSyncExternalStore } from 'react';
import { TickBox } from '../../form/Choices.tsx';
import classes from '../Pager.module.css';
import { columnsKey, keepHidden, parseHidden } from '../../../lib/list/savedViews.ts';
import { readStored, subscribeStored } from '../../../lib/devicePreferences.ts';
import type { DataColumn } from './dataColumn.ts';
import { tableTexts } from '../../listTexts.ts';

export function ColumnChooser<Row>({ choice }: { choice: ColumnChoice<Row> }) {
  const [opened, setOpened] = useState(false);
  const hidden = choice.choosable.filter((column) => !column.shown).length;
  return (
    <Popover opened={opened} onChange={setOpened} position="top-end" trapFocus returnFocus width={220}>
      <Popover.Target>
        <Button
          className={classes.chooser}
          variant="default"
          size="xs"
          leftSection={<IconColumns3 size={14} aria-hidden />}
          onClick={() => setOpened((now) => !now)}
        >
          {hidden === 0 ? tableTexts.columns : tableTexts.columnsHidden(hidden)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={tableTexts.columns}>
        <fieldset className={classes.list} aria-label={tableTexts.columnsShow}>
          {choice.choosable.map((column) => (
            <TickBox
              key={column.id}
              label={column.header}
              checked={column.shown}
              onChange={() => choice.toggle(column.id)}
            />
          ))}
        </fieldset>
        <Button variant="default" size="xs" disabled={hidden === 0} onClick={choice.showAll}>
          {tableTexts.showAll}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ColumnChoice<Row> {
  shown: readonly DataColumn<Row>[];
  choosable: readonly { id: string; header: string; shown: boolean }[];
  toggle: (id: string) => void;
  showAll: () => void;
}

/** Stores the choice on this device. The first column always shows. `columns` must be stable. */
export function useColumnChoice<Row>(list: string, columns: readonly DataColumn<Row>[]): ColumnChoice<Row> {
  const text = useSyncExternalStore(subscribeStored, () => readStored(columnsKey(list)));
  return useMemo(() => {
    const hidden = parseHidden(text);
    const mayHide = columns.filter((_, index) => index > 0);
    return {
      shown: columns.filter((column) => !mayHide.includes(column) || !hidden.has(column.id)),
      choosable: mayHide.map(({ id, header }) => ({ id, header, shown: !hidden.has(id) })),
      toggle: (id) => {
        const next = new Set(hidden);
        if (!next.delete(id)) next.add(id);
        keepHidden(list, next);
      },
      showAll: () => keepHidden(list, new Set()),
    };
  }, [text, columns, list]);
}
