import { Drawer } from '@mantine/core';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import classes from './RowSheet.module.css';

interface RowSheetProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  fields: readonly { id: string; name: string; value: ReactNode }[];
}

/** All of one row, from below, on a screen too narrow for its columns. */
export function RowSheet({ title, opened, onClose, fields }: RowSheetProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="bottom"
      styles={{ title: { fontWeight: 600 }, content: { height: 'auto', maxHeight: '85dvh' } }}
    >
      <dl className={classes.fields}>
        {fields.map((field) => (
          <Fragment key={field.id}>
            <dt>{field.name}</dt>
            <dd>{field.value ?? <span className={classes.nothing}>–</span>}</dd>
          </Fragment>
        ))}
      </dl>
    </Drawer>
  );
}
