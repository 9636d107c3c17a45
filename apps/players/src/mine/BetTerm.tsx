import type { ReactNode } from 'react';
import { Money } from '../ui/Money.tsx';

/** One thing that is said of a bet, in a list of them; beneath it what is said more. */
export function BetTerm({ name, children, more }: { name: string; children: ReactNode; more?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {more}
    </div>
  );
}

/** What was staked. */
export function StakeTerm({ points }: { points: number }) {
  return (
    <BetTerm name="Stake">
      <Money points={points} />
    </BetTerm>
  );
}

/** What was won; where that is not known yet, what is said instead. */
export function WonTerm({ points, otherwise }: { points: number | null; otherwise: ReactNode }) {
  return <BetTerm name="Won">{points === null ? otherwise : <Money points={points} isChange />}</BetTerm>;
}
