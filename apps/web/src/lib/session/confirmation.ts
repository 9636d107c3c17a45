import { createPageStore } from '@drawhouse/session/page-store';
import { confirmBy } from '../server/api.ts';

interface Question {
  readonly number: number;
  readonly given: Promise<boolean>;
  readonly answer: (given: boolean) => void;
}

const question = createPageStore<Question | null>(null);
let asked = 0;

// Registered once for all calls. The sign-in page loads without this module: its calls need no confirmation.
confirmBy(() => {
  if (!question.get()) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked += 1;
    question.set({ number: asked, given: promise, answer: resolve });
  }
  return question.get()!.given;
});

export function answerConfirmation(given: boolean): void {
  question.get()?.answer(given);
  question.set(null);
}

/** Returns the unique number of the open question, or null. */
export function getConfirmation(): number | null {
  return question.get()?.number ?? null;
}

export function useConfirmation(): number | null {
  return question.useValue()?.number ?? null;
}
