import { needsElevation, type Route } from '@drawhouse/contract/core/route';
import { holdsElevation } from '@drawhouse/session/api-client';
import { createPageStore } from '@drawhouse/session/page-store';
import { confirmBy } from '../server/api.ts';
import { getSession } from './session.ts';

interface Question {
  readonly number: number;
  readonly decision: Promise<boolean>;
  readonly answer: (confirmed: boolean) => void;
}

const question = createPageStore<Question | null>(null);
let questions = 0;

// The sign-in page's calls need no confirmation.
confirmBy(() => {
  if (!question.get()) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    questions += 1;
    question.set({ number: questions, decision: promise, answer: resolve });
  }
  return question.get()!.decision;
});

export function answerConfirmation(confirmed: boolean): void {
  question.get()?.answer(confirmed);
  question.set(null);
}

export function getConfirmation(): number | null {
  return question.get()?.number ?? null;
}

/** Dialogs with their own password field, the topmost last. */
const hosts = createPageStore<readonly symbol[]>([]);

/** Directs questions to this dialog until it closes, which cancels them. Returns the function that closes it. */
export function hostConfirmation(host: symbol): () => void {
  hosts.set([...hosts.get(), host]);
  return () => {
    if (hosts.get().at(-1) === host) answerConfirmation(false);
    hosts.set(hosts.get().filter((other) => other !== host));
  };
}

/** Null unless the question is for this host. Without a host: unless no dialog hosts it. */
export function useConfirmation(host?: symbol): number | null {
  const top = hosts.useValue().at(-1);
  const number = question.useValue()?.number ?? null;
  return top === host ? number : null;
}

export type ConfirmedCall = Pick<Route, 'sensitive'>;

/** True if the page holds no elevation for the call. */
export function needsPassword(route: ConfirmedCall): boolean {
  return needsElevation(route) && !holdsElevation(getSession()?.token, route.sensitive === 'result', Date.now());
}
