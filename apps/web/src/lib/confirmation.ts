import { confirmBy } from './api.ts';

interface Question {
  readonly number: number;
  readonly given: Promise<boolean>;
  readonly answer: (given: boolean) => void;
}

const listeners = new Set<() => void>();
let question: Question | null = null;
let asked = 0;

// Registered once for all calls. The sign-in page loads without this module: its calls need no confirmation.
confirmBy(() => {
  if (!question) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked += 1;
    change({ number: asked, given: promise, answer: resolve });
  }
  return question!.given;
});

export function answerConfirmation(given: boolean): void {
  question?.answer(given);
  if (question) change(null);
}

/** Returns the unique number of the open question, or null. */
export function getConfirmation(): number | null {
  return question?.number ?? null;
}

export function subscribeConfirmation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}
