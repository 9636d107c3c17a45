import type { UseFormReturnType } from '@mantine/form';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, useCallback, type FormEvent } from 'react';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { focusFirstError, formRefusal, refusedFields, type FormRefusal, type RefusalTexts } from './formErrors.ts';
import { useReachable } from '@drawhouse/session/server-reach';
import { saveForm, restoreForm } from '@drawhouse/session/form-backup';
import { shouldKeepFormInput } from '@drawhouse/session/session-end';
import { getSession, getSessionEnd, onSession } from '../session/session.ts';

export interface FormCallOptions<Values, Answer> extends RefusalTexts {
  send: (values: Values) => Promise<Answer>;
  onDone?: (answer: Answer, values: Values) => unknown;
  onRefused?: (error: unknown) => unknown;
  /** After validation; `proceed` sends the form and may be called later or never. */
  beforeSend?: (values: Values, proceed: () => void) => void;
  formError?: (values: Values) => string | null;
  ownNames?: Readonly<Record<string, keyof Values & string>>;
  clearAfterMs?: number;
  /** The page navigates away on success, so the form stays busy. */
  leaves?: boolean;
}

export interface FormCall<Answer = unknown> {
  /** Sends valid input once `before` resolves to true. */
  submit: (event?: FormEvent<HTMLFormElement>, before?: () => Promise<boolean>) => void;
  status: 'idle' | 'pending' | 'error' | 'success';
  /** Sending, or about to leave. */
  busy: boolean;
  unsaved: boolean;
  refusal: FormRefusal & { attempt: number; clearAfterMs: number | undefined };
  answer: Answer | undefined;
}

/**
 * Focuses the first invalid field, sends once, shows server errors beneath their fields or above the buttons. Keeps the
 * input.
 */
export function useFormCall<Values extends object, Answer>(
  form: UseFormReturnType<Values>,
  options: FormCallOptions<Values, Answer>,
): FormCall<Answer> {
  const { send, onDone, onRefused, beforeSend, formError, ownNames = {}, clearAfterMs, leaves = false } = options;
  const shownFields = [...Object.keys(form.getValues()), ...Object.keys(ownNames)];
  const [wrong, setWrong] = useState<{ text: string | null; times: number }>({ text: null, times: 0 });
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error) => {
      const fields = refusedFields(error, shownFields, ownNames);
      form.setErrors(fields);
      focusFirstError(form, fields);
      return onRefused?.(error);
    },
  });
  useRestoredInput(form);
  const once = useOneAtATime(mutation);
  const keepFocus = useFocusAfterCall(mutation.error);
  const { status, error, submittedAt } = mutation;
  const busy = status === 'pending' || (leaves && status === 'success');
  const isLost = !useReachable();
  const refused =
    wrong.text === null ? formRefusal(error, shownFields, options, isLost) : { message: wrong.text, beyond: null };

  const submit: FormCall['submit'] = (event, before) => onSubmit(before)(event);
  const onSubmit = (before?: () => Promise<boolean>) =>
    form.onSubmit(
      (values) => {
        if (busy) return;
        keepFocus();
        setWrong(({ times }) => ({ text: null, times }));
        const proceed = () => once(values);
        if (before) void before().then((isReady) => isReady && proceed());
        else if (beforeSend) beforeSend(values, proceed);
        else proceed();
      },
      (errors, values) => {
        if (busy) return;
        // The previous outcome does not apply.
        if (status === 'success') mutation.reset();
        setWrong(({ times }) => ({ text: formError?.(values) ?? null, times: times + 1 }));
        focusFirstError(form, errors);
      },
    );

  return {
    submit,
    status,
    busy,
    unsaved: !busy && form.isDirty(),
    refusal: {
      ...refused,
      attempt: submittedAt + (wrong.text === null ? 0 : wrong.times),
      clearAfterMs,
    },
    answer: mutation.data,
  };
}

/**
 * Restores focus that the disabled button lost to a dismissed password prompt. Returns a function that records the
 * focused element.
 */
function useFocusAfterCall(error: unknown): () => void {
  const place = useRef<Element>(null);
  useEffect(() => {
    if (isUnconfirmed(error) && place.current instanceof HTMLElement) place.current.focus();
  }, [error]);
  return () => {
    place.current = document.activeElement;
  };
}

/** Keeps input when the session ends without a sign-out in this tab, for the same account. */
function useRestoredInput<Values extends object>(form: UseFormReturnType<Values>): void {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    const userId = getSession()?.user?._id;
    if (userId === undefined) return undefined;
    const { path, fields } = { path: window.location.pathname, fields: Object.keys(latest.current.getValues()).sort() };
    const place = { userId, path, fields };
    const draft = restoreForm(sessionStorage, place);
    if (draft) latest.current.setValues(draft as Partial<Values>);
    return onSession(() => {
      const isOver = getSession() === null && shouldKeepFormInput(getSessionEnd());
      if (isOver && latest.current.isDirty()) saveForm(sessionStorage, place, latest.current.getValues());
    });
  }, []);
}

/** Needed because `isPending` updates too late to block a double click. */
export function useOneAtATime<Answer, Failure, Input>(
  mutation: Pick<UseMutationResult<Answer, Failure, Input>, 'mutateAsync'>,
): (input: Input) => void {
  const running = useRef(false);
  const { mutateAsync } = mutation;
  return useCallback(
    (input) => {
      if (running.current) return;
      running.current = true;
      const done = () => {
        running.current = false;
      };
      // The mutation holds the error.
      mutateAsync(input).then(done, done);
    },
    [mutateAsync],
  );
}
