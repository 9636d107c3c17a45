import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { focusFirstError } from './focusFirstError.ts';
import { formRefusal, refusedFields } from './formRefusal.ts';
import type { FormRefusal, RefusalWords } from './formRefusal.ts';
import { useConnectionLost } from './useConnection.ts';
import { useOneAtATime } from './useOneAtATime.ts';
import { keepForm, takeForm } from '@drawhouse/session/kept-form';
import { keepsTyping } from '@drawhouse/session/session-end';
import { getSession, getSessionEnd, onSession } from './session.ts';

/** The call of a form, and what differs from the usual. */
export interface FormCallOptions<Values, Answer> extends RefusalWords {
  /** Calls the server with what was typed. */
  send: (values: Values) => Promise<Answer>;
  onDone?: (answer: Answer, values: Values) => unknown;
  onRefused?: (error: unknown) => unknown;
  /** Hears of what is right and about to be sent: `proceed` sends it, at once, after a question, or never. */
  beforeSend?: (values: Values, proceed: () => void) => void;
  /** What is wrong with the form as a whole, beside its fields: said like a refusal. */
  wholeError?: (values: Values) => string | null;
  /** The form's names of fields that the server calls otherwise. */
  ownNames?: Readonly<Record<string, keyof Values & string>>;
  /** When a refusal clears, in ms; the usual where it is left out. */
  clearAfterMs?: number;
  /** The page is left after success: until then the form stays busy. */
  leaves?: boolean;
}

/** A form's call as its page shows it. */
export interface FormCall<Answer = unknown> {
  /** For the form's `onSubmit`. */
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  status: 'idle' | 'pending' | 'error' | 'success';
  /** It can't be sent now: it is being sent, or was and is about to be left. */
  busy: boolean;
  /** Something is typed that is neither saved nor being saved: leaving asks first. */
  unsaved: boolean;
  /** What `ui/Refusal` shows. */
  refusal: FormRefusal & { attempt: number; clearAfterMs: number | undefined };
  /** The last answer, until the form is sent again. */
  answer: Answer | undefined;
}

/**
 * What every form does with the server: puts the focus on the first wrong field instead of sending, sends once however often it is
 * submitted, puts what the server says of a field beneath it and the rest above the buttons, and keeps what was typed. That it may have
 * been done stays until it is sent again.
 */
export function useFormCall<Values extends object, Answer>(
  form: UseFormReturnType<Values>,
  options: FormCallOptions<Values, Answer>,
): FormCall<Answer> {
  const { send, onDone, onRefused, beforeSend, wholeError, ownNames = {}, clearAfterMs, leaves = false } = options;
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
  useKeptForm(form);
  const once = useOneAtATime(mutation);
  const keepFocus = useFocusAfterCall(mutation.error);
  const { status, error, submittedAt } = mutation;
  const busy = status === 'pending' || (leaves && status === 'success');
  const isLost = useConnectionLost();
  const refused =
    wrong.text === null ? formRefusal(error, shownFields, options, isLost) : { message: wrong.text, beyond: null };

  const submit = form.onSubmit(
    (values) => {
      if (busy) return;
      keepFocus();
      setWrong(({ times }) => ({ text: null, times }));
      if (beforeSend) beforeSend(values, () => once(values));
      else once(values);
    },
    (errors, values) => {
      if (busy) return;
      // What was done before is not what is asked now.
      if (status === 'success') mutation.reset();
      setWrong(({ times }) => ({ text: wholeError?.(values) ?? null, times: times + 1 }));
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
 * Gives the focus back to where a form was sent from, where its password was asked for and not given: its button may have lost it, since
 * it can't be pressed meanwhile. What is answered notes where that is.
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

/** Keeps what is typed into a form when its session ends other than by a sign-out in this tab, and fills the form with it once the same account is back. */
function useKeptForm<Values extends object>(form: UseFormReturnType<Values>): void {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    const userId = getSession()?.user?._id;
    if (userId === undefined) return undefined;
    const { path, fields } = { path: window.location.pathname, fields: Object.keys(latest.current.getValues()).sort() };
    const place = { userId, path, fields };
    const kept = takeForm(sessionStorage, place);
    if (kept) latest.current.setValues(kept as Partial<Values>);
    return onSession(() => {
      const isOver = getSession() === null && keepsTyping(getSessionEnd());
      if (isOver && latest.current.isDirty()) keepForm(sessionStorage, place, latest.current.getValues());
    });
  }, []);
}
