import { confirmBy } from './api.ts';

/** A question for the password: its place among those that were asked, and how it is answered. */
interface Question {
  readonly number: number;
  readonly given: Promise<boolean>;
  readonly answer: (given: boolean) => void;
}

const listeners = new Set<() => void>();
let question: Question | null = null;
let asked = 0;

// Once for all calls that want it. The sign-in, which is loaded without this, makes none of them.
confirmBy(() => {
  if (!question) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked += 1;
    change({ number: asked, given: promise, answer: resolve });
  }
  return question!.given;
});

/** Answers what is asked: the password was given, or is not going to be. */
export function answerConfirmation(given: boolean): void {
  question?.answer(given);
  if (question) change(null);
}

/** The number of what is asked, which no other question has; null while nothing is. */
export function getConfirmation(): number | null {
  return question?.number ?? null;
}

/** Tells when the password is asked for, and when not any more; answers how to stop. */
export function subscribeConfirmation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}
