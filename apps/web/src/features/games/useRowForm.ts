import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { focusFirstError } from '../../lib/focusFirstError.ts';
import { useFormCall } from '../../lib/useFormCall.ts';
import type { FormCall } from '../../lib/useFormCall.ts';
import { adopted, cellName, changedRows, namedByRow, textsOf } from './rowForm.ts';
import type { CellTexts, EditedRow } from './rowForm.ts';

interface RowFormOptions<Field extends string, Row extends EditedRow<Field>, Answer> {
  /** As they are on the server now; read anew, what was typed stays. Keep them stable between renders. */
  rows: readonly Row[];
  /** What is typed in each row. A constant. */
  fields: readonly Field[];
  /** What is wrong with what was typed into an input; null where nothing is. */
  check: (text: string, row: Row, field: Field) => string | null;
  /** Sends the changed rows, with what was typed in them. */
  send: (changed: readonly Row[], typed: CellTexts) => Promise<Answer>;
  onDone: (answer: Answer) => unknown;
  /** Told instead where nothing has changed. */
  onUnchanged: () => void;
}

/** The form behind an editable table. */
export interface RowForm<Row> {
  form: UseFormReturnType<CellTexts>;
  call: FormCall;
  /** The rows in which something is typed that is not saved. */
  changed: readonly Row[];
  /** The wrong rows, which the table shows alone until `showAll`; null shows all. */
  only: ReadonlySet<string> | null;
  showAll: () => void;
}

/**
 * The inputs of many rows as one form and one call: only changed rows are sent, what is wrong is brought into sight wherever it stands,
 * and what was typed survives paging, filters, a lost connection and the rows being read anew.
 */
export function useRowForm<Field extends string, Row extends EditedRow<Field>, Answer>(
  options: RowFormOptions<Field, Row, Answer>,
): RowForm<Row> {
  const { rows, fields, check, send, onDone, onUnchanged } = options;
  const fresh = useMemo(() => textsOf(rows, fields), [rows, fields]);
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null);
  const changedIn = (values: CellTexts) => changedRows<Field, Row>(rows, fields, form.getInitialValues(), values);
  const form = useForm<CellTexts>({
    mode: 'controlled',
    initialValues: fresh,
    validateInputOnBlur: true,
    validate: (values): Record<string, string> =>
      Object.fromEntries(
        changedIn(values).flatMap((row) =>
          fields.flatMap((field) => {
            const name = cellName(row.id, field);
            if (values[name] === form.getInitialValues()[name]) return [];
            const problem = check(values[name] ?? '', row, field);
            return problem === null ? [] : [[name, problem]];
          }),
        ),
      ),
  });
  const { setValues, getInitialValues, getValues, resetDirty } = form;

  useEffect(() => {
    const values = adopted(getInitialValues(), getValues(), fresh);
    if (values === null) return;
    resetDirty(fresh);
    setValues(values);
  }, [fresh, getInitialValues, getValues, resetDirty, setValues]);

  const showWrong = (names: readonly string[]) => setOnly(new Set(names.map((name) => name.split(':')[0]!)));
  useEffect(() => {
    if (only) focusFirstError(form, form.errors);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they have come into sight
  }, [only]);

  const call = useFormCall(form, {
    send: async (values) => {
      const changed = changedIn(values);
      try {
        return await send(changed, values);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { code, message, status, fields: wrong, requestId } = error;
        throw new ApiError(code, message, { status, fields: namedByRow(wrong, changed), requestId });
      }
    },
    beforeSend: (values, proceed) => {
      if (changedIn(values).length > 0) proceed();
      else onUnchanged();
    },
    wholeError: () => {
      // Asked where an input is wrong, which may stand on another page of the table.
      const { errors } = form.validate() as { errors: Record<string, unknown> };
      const hidden = Object.keys(errors).some((name) => form.getInputNode(name) === null);
      if (hidden) showWrong(Object.keys(errors));
      return null;
    },
    onRefused: (error) => {
      const names = Object.keys((error as { fields?: Record<string, string> }).fields ?? {}).filter(
        (name) => name in fresh,
      );
      if (names.some((name) => form.getInputNode(name) === null)) showWrong(names);
    },
    onDone: (answer, sent) => {
      setOnly(null);
      // What was typed while it was sent is not saved.
      resetDirty({ ...getInitialValues(), ...sent });
      return onDone(answer);
    },
  });
  return { form, call, changed: changedIn(form.values), only, showAll: () => setOnly(null) };
}
