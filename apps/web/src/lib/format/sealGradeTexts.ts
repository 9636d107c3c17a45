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
  /** Two or three words. */
  readonly grade: string;
  readonly sentence: string;
}

export function sealGradeTexts(seals: GradedSeals | null, time: (iso: string) => string): SealGradeTexts {
  if (!seals) return { tone: 'bad', grade: 'Not sealed', sentence: 'Nothing of the books is sealed here so far.' };
  const vouching = seals.witnesses.filter(({ last, isSilent }) => last !== null && !isSilent);
  const stopped = seals.isStopped ? ' At the moment nothing is sealed; what is committed meanwhile follows.' : '';
  const [since] = vouching.map((one) => one.since!).toSorted();
  const last = vouching
    .map((one) => one.last!)
    .toSorted()
    .at(-1);
  if (since === undefined || last === undefined)
    return {
      tone: seals.isStopped ? 'bad' : 'neutral',
      grade: 'Sealed by itself',
      sentence: `The books are sealed by this server itself since ${time(seals.since)}, and witnessed by nobody.${stopped}`,
    };
  return {
    tone: seals.isStopped ? 'bad' : 'good',
    grade: `Witnessed by ${vouching.length}`,
    sentence: `The sealed books are witnessed by ${vouching.length === 1 ? 'one other party' : `${vouching.length} other parties`} since ${time(since)}, last on ${time(last)}.${stopped}`,
  };
}
