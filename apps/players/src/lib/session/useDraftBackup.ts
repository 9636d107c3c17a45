import { saveForm, restoreForm } from '@drawhouse/session/form-backup';
import { shouldKeepFormInput } from '@drawhouse/session/session-end';
import { useEffect, useRef, useState } from 'react';
import { getSession, getSessionEnd, onSession } from './playerSession.ts';

/**
 * Restores unsent input after an unexpected end of the session, for the same player and page. Never use for passwords.
 */
export function useDraftBackup(name: string, typed: string, restore: (text: string) => void): void {
  const latest = useRef({ typed, restore });
  useEffect(() => {
    latest.current = { typed, restore };
  });
  useEffect(() => {
    const userId = getSession()?.user?._id;
    if (userId === undefined) return undefined;
    const form = { userId, path: window.location.pathname, fields: [name] };
    const stored = restoreForm(sessionStorage, form)?.[name];
    if (typeof stored === 'string') latest.current.restore(stored);
    return onSession(() => {
      const isOver = getSession() === null && shouldKeepFormInput(getSessionEnd());
      if (isOver && latest.current.typed !== '') saveForm(sessionStorage, form, { [name]: latest.current.typed });
    });
  }, [name]);
}

export function useDraftText(name: string) {
  const [text, setText] = useState('');
  useDraftBackup(name, text, setText);
  return [text, setText] as const;
}
