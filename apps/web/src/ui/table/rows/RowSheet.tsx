import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { Sheet } from '../../dialog/Dialog.tsx';
import { PathLink } from '../../page/PathLink.tsx';
import type { RowAction } from './RowActions.tsx';
import classes from './RowSheet.module.css';
import { tableTexts } from '../../listTexts.ts';

interface RowSheetProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  fields: readonly { id: string; name: string; value: ReactNode }[];
  actions: readonly RowAction[];
  children?: ReactNode;
}

const WIDE_QUERY = '(min-width: 1024px)';

/** Below the dialogs that its actions open, even those mounted earlier. */
const Z_INDEX = 190;

export function RowSheet({ title, opened, onClose, fields, actions, children }: RowSheetProps) {
  const wide = useMediaQuery(WIDE_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title={title}
      zIndex={Z_INDEX}
      position={wide ? 'right' : 'bottom'}
      size={wide ? 'md' : undefined}
      styles={{
        title: { fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere' },
        ...(!wide && { content: { height: 'auto', maxHeight: '85dvh' } }),
      }}
    >
      <div className={classes.sheet}>
        <dl className={classes.fields}>
          {fields.map((field) => (
            <Fragment key={field.id}>
              <dt>{field.name}</dt>
              <dd>{field.value ?? <span className={classes.nothing}>–</span>}</dd>
            </Fragment>
          ))}
        </dl>
        {children}
        {actions.length > 0 && (
          <ul className={classes.actions} aria-label={tableTexts.actions}>
            {actions.map((action) => (
              <li key={action.id} data-danger={action.danger}>
                <SheetAction action={action} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Sheet>
  );
}

function SheetAction({ action }: { action: RowAction }) {
  const shared = {
    variant: action.danger ? 'subtle' : 'default',
    color: action.danger ? 'red' : undefined,
    fullWidth: true,
    justify: 'flex-start',
    leftSection: <action.icon size={18} aria-hidden />,
  };
  return action.href === undefined ? (
    <Button {...shared} onClick={action.onClick}>
      {action.label}
    </Button>
  ) : (
    <Button {...shared} component={PathLink} href={action.href}>
      {action.label}
    </Button>
  );
}
