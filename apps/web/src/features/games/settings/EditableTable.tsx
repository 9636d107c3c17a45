import { Button, Group, Text, TextInput } from '@mantine/core';
import { createContext, useContext, useId, type ReactNode } from 'react';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { LeaveGuard } from '../../../ui/form/LeaveGuard.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { Refusal } from '../../../ui/form/Refusal.tsx';
import { SubmitButton } from '../../../ui/form/CallForm.tsx';
import { cellName } from './rowForm.ts';
import type { RowForm } from './useRowForm.ts';
import classes from './EditableTable.module.css';
import { gameTexts } from '../gameTexts.ts';

/** Lets stable columns read changing texts and errors. */
const FormContext = createContext<RowForm<unknown>['form'] | null>(null);

interface EditableTableProps<Row> {
  title: string;
  /** Keep it stable between renders. */
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  numberName?: string;
  rowForm: RowForm<Row>;
  rowLabel: (row: Row) => string;
  save: string;
  filters?: ReactNode;
  notice?: ReactNode;
  empty: ReactNode;
}

export function EditableTable<Row extends { readonly id: string }>(props: EditableTableProps<Row>) {
  const { title, rows, columns, rowForm, rowLabel, save, filters, notice, empty } = props;
  const { form, call, changed, only, showAll } = rowForm;
  const formId = useId();
  const shown = only ? rows.filter((row) => only.has(row.id)) : rows;
  return (
    <FormContext value={form}>
      <LeaveGuard when={call.unsaved} />
      <PageHeader
        title={title}
        action={
          <Group gap="xs" wrap="nowrap">
            {changed.length > 0 && (
              <Button variant="default" disabled={call.busy} onClick={() => form.reset()}>
                {gameTexts.undo}
              </Button>
            )}
            <SubmitButton form={formId} disabled={call.busy}>
              {call.busy ? gameTexts.setting : save}
            </SubmitButton>
          </Group>
        }
      >
        {filters}
        <Text className={classes.changed} aria-live="polite">
          {changed.length > 0 && gameTexts.rowsChanged(changed.length)}
        </Text>
      </PageHeader>
      <div className={classes.notices}>
        <Refusal {...call.refusal} />
        {notice}
        {only && (
          <Group gap="xs">
            <Text>{shown.length === 1 ? gameTexts.showingOne : gameTexts.showingSome}</Text>
            <Button variant="default" size="xs" onClick={showAll}>
              {gameTexts.showAll}
            </Button>
          </Group>
        )}
      </div>
      <form id={formId} className={classes.form} onSubmit={call.submit} noValidate aria-label={title}>
        <DataTable
          label={title}
          rows={shown}
          columns={columns}
          rowKey={(row) => row.id}
          rowLabel={rowLabel}
          numbered
          numberName={props.numberName}
          pageSize={PAGE_ROWS}
          empty={empty}
        />
      </form>
    </FormContext>
  );
}

const PAGE_ROWS = 25;

/** Needs an {@link EditableTable} above. */
export function useCells(): RowForm<unknown>['form'] {
  const form = useContext(FormContext);
  if (!form) throw new Error('An editable cell must be inside an EditableTable');
  return form;
}

interface CellInputProps {
  rowId: string;
  field: string;
  label: string;
  unit?: string;
  placeholder: string;
  hint?: ReactNode;
  isText?: boolean;
}

export function CellInput({ rowId, field, label, unit, placeholder, hint, isText = false }: CellInputProps) {
  const form = useCells();
  const name = cellName(rowId, field);
  const before = form.getInitialValues()[name] ?? '';
  const changed = (form.values[name] ?? '').trim() !== before.trim();
  return (
    <TextInput
      {...form.getInputProps(name)}
      size="xs"
      className={classes.input}
      classNames={{ input: isText ? '' : classes.number, description: classes.hint, error: classes.hint }}
      data-changed={changed || undefined}
      aria-label={label}
      inputMode={isText ? 'text' : 'decimal'}
      placeholder={placeholder}
      rightSection={unit}
      rightSectionPointerEvents="none"
      inputWrapperOrder={['input', 'error', 'description']}
      description={changed ? `was ${before === '' ? placeholder.toLowerCase() : before}` : hint}
    />
  );
}
