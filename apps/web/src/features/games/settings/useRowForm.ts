import { useForm, type UseFormReturnType } from '@mantine/form';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { focusFirstError } from '../../../lib/form/formErrors.ts';
import { useFormCall, type FormCall } from '../../../lib/form/useFormCall.ts';
import {
  mergeFreshTexts,
  cellName,
  changedRows,
  namedByRow,
  textsOf,
  type CellTexts,
  type EditedRow,
} from './rowForm.ts';
import { queryClient } from '../../../lib/server/queryClient.ts';

interface Rows {
  readonly data: readonly { readonly id: string }[];
}

interface RowFormOptions<Field extends string, Row extends EditedRow<Field>, Answer extends Rows> {
  /** Current server state; typed input survives a reload. Keep it stable between renders. */
  rows: readonly Row[];
  fields: readonly Field[];
  /** Also receives the saved rows. */
  queryKey: QueryKey;
  /** An error message, or null. */
  check: (text: string, row: Row, field: Field) => string | null;
  send: (changed: readonly Row[], typed: CellTexts) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  onUnchanged: () => void;
}

export interface RowForm<Row> {
  form: UseFormReturnType<CellTexts>;
  call: FormCall;
  changed: readonly Row[];
  /** Rows with errors, shown alone until `showAll`. */
  only: ReadonlySet<string> | null;
  showAll: () => void;
}

/**
 * Inputs of many rows as one form. Sends only changed rows and reveals errors on any page. Input survives paging,
 * filters, connection loss and reloads.
 */
export function useRowForm<Field extends string, Row extends EditedRow<Field>, Answer extends Rows>(
  options: RowFormOptions<Field, Row, Answer>,
): RowForm<Row> {
  const { rows, fields, queryKey, check, send, onDone, onUnchanged } = options;
  const fresh = useMemo(() => textsOf(rows, fields), [rows, fields]);
  const [only, setOnly] = useState<ReadonlySet<string> | null>(null);
  const changedIn = (values: CellTexts) => changedRows<Field, Row>(rows, fields, form.getInitialValues(), values);
  const form = useForm<CellTexts>({
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
    const values = mergeFreshTexts(getInitialValues(), getValues(), fresh);
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
    formError: () => {
      // It may be on another page of the table.
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
      // Input typed meanwhile stays dirty.
      resetDirty({ ...getInitialValues(), ...sent });
      onDone(answer);
      const saved = new Map(answer.data.map((row) => [row.id, row]));
      queryClient.setQueryData<Rows>(
        queryKey,
        (cached) => cached && { ...cached, data: cached.data.map((row) => saved.get(row.id) ?? row) },
      );
    },
  });
  return { form, call, changed: changedIn(form.values), only, showAll: () => setOnly(null) };
}
