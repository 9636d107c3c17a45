import type { SealGrade } from '@drawhouse/contract/seals/seals';

interface SealGradeTexts {
  readonly tone: 'good' | 'neutral' | 'bad';
  readonly grade: string;
  readonly sentence: string;
}

/** Witnesses that are behind count only if none is current. */
export function sealGradeTexts(seals: Omit<SealGrade, 'size'> | null, time: (iso: string) => string): SealGradeTexts {
  if (!seals) return { tone: 'bad', grade: 'Not sealed', sentence: 'The books are not sealed yet.' };
  const { sealedAt, isStopped, witnesses } = seals;
  const byTime = witnesses
    .flatMap(({ name, last, isSilent }) => (last === null ? [] : [{ name, last, isSilent }]))
    .toSorted((a, b) => a.last.localeCompare(b.last));
  const current = byTime.filter(({ isSilent }) => !isSilent);
  const isWitnessed = current.length > 0;
  const vouching = isWitnessed ? current : byTime.slice(-1);
  const names = vouching.map(({ name }) => name).join(', ');
  const sentence =
    vouching[0] === undefined
      ? `This server sealed the books until ${time(sealedAt)}. No witness has verified them.`
      : `Log verified until ${time(vouching[0].last)}, by ${names}.${isWitnessed ? '' : ' No witness has verified later records.'}`;
  return {
    tone: isStopped ? 'bad' : isWitnessed ? 'good' : 'neutral',
    grade: isWitnessed ? `Witnessed by ${current.length}` : 'Not witnessed',
    sentence: isStopped
      ? `${sentence} Sealing is paused; records committed meanwhile are sealed when it resumes.`
      : sentence,
  };
}
