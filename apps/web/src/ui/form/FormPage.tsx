import type { Route } from '@drawhouse/contract/core/route';
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormCall } from '../../lib/form/useFormCall.ts';
import { isOfFirstCell } from '../../lib/session/rights.ts';
import { FirstCellNote } from '../page/Notes.tsx';
import { PageHeader } from '../page/PageHeader.tsx';
import classes from '../page/PageHeader.module.css';
import formClasses from './FormPage.module.css';
import { CallForm, SubmitButton } from './CallForm.tsx';
import { useFirstField } from './useFirstField.ts';

interface FormPageProps {
  title: string;
  of?: string;
  call: FormCall;
  /** Route of the call, if only the first cell may take it. */
  route?: Pick<Route, 'inFirstCell'>;
  submitLabel: string;
  busyLabel: string;
  onCancel: () => void;
  cancelLabel?: string;
  isBlocked?: boolean;
  children: ReactNode;
}

export function FormPage(props: FormPageProps) {
  const { title, of, call, submitLabel, busyLabel, onCancel, cancelLabel = 'Cancel', isBlocked, children } = props;
  const isElsewhere = isOfFirstCell(props.route);
  const first = useFirstField();
  return (
    <>
      <PageHeader title={title} of={of} />
      <CallForm
        {...first}
        className={classes.form}
        label={title}
        call={call}
        foot={
          <Group gap="xs">
            <SubmitButton disabled={call.busy || isElsewhere || isBlocked}>
              {call.busy ? busyLabel : submitLabel}
            </SubmitButton>
            <Button variant="default" onClick={onCancel} onMouseDown={(event) => event.preventDefault()}>
              {cancelLabel}
            </Button>
          </Group>
        }
      >
        {isElsewhere && <FirstCellNote />}
        {children}
      </CallForm>
    </>
  );
}

interface AsideColumnProps {
  readonly children: ReactNode;
  /** Start at the same height on wide screens. Without them, the next field does. */
  readonly fields?: ReactNode;
}

/** Consequences of a form's fields: beside them on wide screens, else below. */
export function AsideColumn({ children, fields }: AsideColumnProps) {
  return (
    <div className={formClasses.place}>
      {fields}
      <div className={formClasses.aside}>{children}</div>
    </div>
  );
}
