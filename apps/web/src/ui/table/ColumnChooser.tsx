import { Button, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { TickBox } from '../form/TickBox.tsx';
import type { ColumnChoice } from '../useColumnChoice.ts';
import classes from './Pager.module.css';

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
          {hidden === 0 ? 'Columns' : `Columns, ${hidden} hidden`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <fieldset className={classes.list} aria-label="Columns to show">
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
          Show all
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
