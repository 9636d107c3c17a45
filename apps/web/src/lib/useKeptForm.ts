import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { keepForm, takeForm } from '@drawhouse/session/kept-form';
import { keepsTyping } from '@drawhouse/session/session-end';
import { getSession, getSessionEnd, onSession } from './session.ts';

/** Keeps what is typed into a form when its session ends other than by a sign-out in this tab, and fills the form with it once the same account is back. */
export function useKeptForm<Values extends object>(form: UseFormReturnType<Values>): void {
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
