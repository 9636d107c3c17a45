import { keepForm, takeForm } from '@drawhouse/session/kept-form';
import { keepsTyping } from '@drawhouse/session/session-end';
import { useEffect, useRef, useState } from 'react';
import { getSession, getSessionEnd, onSession } from './playerSession.ts';

/**
 * Keeps what is typed when the session ends other than by a sign-out in this tab, and gives it to `restore` once the same player is back on this page. `typed` is empty
 * where nothing is to be kept. Never for passwords.
 */
export function useKeptTyping(name: string, typed: string, restore: (text: string) => void): void {
  const latest = useRef({ typed, restore });
  useEffect(() => {
    latest.current = { typed, restore };
  });
  useEffect(() => {
    const userId = getSession()?.user?._id;
    if (userId === undefined) return undefined;
    const place = { userId, path: window.location.pathname, fields: [name] };
    const kept = takeForm(sessionStorage, place)?.[name];
    if (typeof kept === 'string') latest.current.restore(kept);
    return onSession(() => {
      const isOver = getSession() === null && keepsTyping(getSessionEnd());
      if (isOver && latest.current.typed !== '') keepForm(sessionStorage, place, { [name]: latest.current.typed });
    });
  }, [name]);
}

/** The text of a field that is kept so; empty at first. */
export function useKeptText(name: string) {
  const [text, setText] = useState('');
  useKeptTyping(name, text, setText);
  return [text, setText] as const;
}
