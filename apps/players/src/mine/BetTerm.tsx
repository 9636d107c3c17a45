import type { ReactNode } from 'react';
import { Money } from '../ui/Money.tsx';

export function BetTerm({ name, children, more }: { name: string; children: ReactNode; more?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {more}
    </div>
  );
}

export function StakeTerm({ points }: { points: number }) {
  return (
    <BetTerm name="Stake">
      <Money points={points} />
    </BetTerm>
  );
}

export function WonTerm({ points, otherwise }: { points: number | null; otherwise: ReactNode }) {
  return <BetTerm name="Won">{points === null ? otherwise : <Money points={points} isChange />}</BetTerm>;
}
