interface GradedWitness {
  readonly since: string | null;
  readonly last: string | null;
  readonly isSilent: boolean;
}

interface GradedSeals {
  readonly since: string;
  readonly isStopped: boolean;
  readonly witnesses: readonly GradedWitness[];
}

export interface SealGradeTexts {
  readonly tone: 'good' | 'neutral' | 'bad';
  readonly grade: string;
  readonly sentence: string;
}

export function sealGradeTexts(seals: GradedSeals | null, time: (iso: string) => string): SealGradeTexts {
  if (!seals) return { tone: 'bad', grade: 'Not sealed', sentence: 'The books are not sealed yet.' };
  const vouching = seals.witnesses.filter(({ last, isSilent }) => last !== null && !isSilent);
  const stopped = seals.isStopped ? ' Sealing is paused; records committed meanwhile are sealed when it resumes.' : '';
  const [since] = vouching.map((one) => one.since!).toSorted();
  const last = vouching
    .map((one) => one.last!)
    .toSorted()
    .at(-1);
  if (since === undefined || last === undefined)
    return {
      tone: seals.isStopped ? 'bad' : 'neutral',
      grade: 'Not witnessed',
      sentence: `This server has sealed the books itself since ${time(seals.since)}; no witness confirms them.${stopped}`,
    };
  return {
    tone: seals.isStopped ? 'bad' : 'good',
    grade: `Witnessed by ${vouching.length}`,
    sentence:
      'The sealed books have been witnessed by ' +
      `${vouching.length === 1 ? 'one other party' : `${vouching.length} other parties`} since ` +
      `${time(since)}, last on ${time(last)}.${stopped}`,
  };
}
