import type { NetworkWorkState } from '@drawhouse/contract/network-work/work';

/** What the call that began a work was answered, as far as it is told. */
interface WorkAnswer {
  readonly message: string | null;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly safetyFolder: string | null;
}

/** Reads what came of a work: it was written down by the server, maybe by an older one. */
export function answerOf({ answer }: Pick<NetworkWorkState, 'answer'>): WorkAnswer {
  const known = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  return {
    message: textOf(known['message']),
    problems: textsOf(known['problems']),
    notes: textsOf(known['notes']),
    safetyFolder: textOf(known['safetyFolder']),
  };
}

/** What is told of a work that has ended well, and whether it has found something wrong. */
export function toldOf(work: Pick<NetworkWorkState, 'answer' | 'failure'>): { message: string | null; isBad: boolean } {
  const { message, problems } = answerOf(work);
  return { message: work.failure === null ? message : null, isBad: problems.length > 0 };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
