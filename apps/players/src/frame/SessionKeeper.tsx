import { createElement, useCallback, useEffect, useState } from 'react';
import { watchWallet } from '../lib/liveLine.ts';
import { confirmBy } from '../lib/playerApi.ts';
import { endSession, useSessionTime } from '../lib/playerSession.ts';
import type { Session } from '@drawhouse/session/kept-session';
import { sessionFetchPause } from '@drawhouse/session/session-fetch';
import { askServersWord } from '../lib/serversWord.ts';
import { useLate } from '../lib/useLate.ts';
import { noteWallet } from '../lib/wallet.ts';

const loadStay = async () => (await import('./StaySheet.tsx')).StaySheet;
const loadPassword = async () => (await import('./PasswordSheet.tsx')).PasswordSheet;

/** After a sleep the server gets so long to say whether the session still stands. */
const DOUBT_MS = 4000;
/** The server is asked for the end of the session this often while the page is used: it alone knows the longest time. */
const WORD_GOOD_FOR_MS = 5 * 60_000;

/** Keeps a session as it is at the server, each by one of its own: hears of its end and of the wallet, asks who is signed in, and says when the end is near. */
export function SessionKeeper({ session: { token } }: { session: Session }) {
  const { phase, leftMs } = useSessionTime();
  const [question, setQuestion] = useState<((isGiven: boolean) => void) | null>(null);
  const [stay, password] = [useLate(phase === 'warning', loadStay), useLate(question !== null, loadPassword)];
  useEffect(() => watchWallet(noteWallet), []);
  useEffect(() => {
    let askedAt = 0;
    let failures = 0;
    let isStopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      if (document.visibilityState !== 'visible' || Date.now() - askedAt < WORD_GOOD_FOR_MS) return;
      clearTimeout(timer);
      askedAt = Date.now();
      askServersWord().then(
        () => (failures = 0),
        () => {
          // Where the session has ended, nobody asks any more.
          if (isStopped) return;
          askedAt = 0;
          failures += 1;
          timer = setTimeout(ask, sessionFetchPause(failures));
        },
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    window.addEventListener('pointerdown', ask);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
      window.removeEventListener('pointerdown', ask);
    };
  }, []);
  useEffect(() => {
    if (phase === 'doubtful') askServersWord(AbortSignal.timeout(DOUBT_MS)).catch(() => endSession('ended', token));
  }, [phase, token]);
  useEffect(() => {
    confirmBy(() => new Promise((resolve) => setQuestion(() => resolve)));
    return () => confirmBy(async () => false);
  }, []);
  const answer = useCallback(
    (isGiven: boolean) => {
      question?.(isGiven);
      setQuestion(null);
    },
    [question],
  );
  return (
    <>
      {phase === 'warning' && stay && createElement(stay, { leftMs })}
      {question && password && createElement(password, { onAnswer: answer })}
    </>
  );
}
