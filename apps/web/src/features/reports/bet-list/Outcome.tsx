import type { ShownOutcome } from '@drawhouse/contract/reports/bet-list';
import { OutcomePicture, pictureFor } from '../../../ui/pictures/OutcomePicture.ts';
import classes from './betList.module.css';

interface OutcomeProps {
  game: { readonly gameId: string; readonly family: string };
  /** Null if no outcome matches, such as the last two digits of a triple. */
  outcome: ShownOutcome | null;
  drawno: string;
  size?: number;
}

export function Outcome({ game, outcome, drawno, size = 24 }: OutcomeProps) {
  const picture = outcome && pictureFor(game, outcome);
  const label = outcome?.label ?? drawno;
  return (
    <span className={classes.outcome}>
      {picture && <OutcomePicture {...picture} size={size} />}
      <span>{label === drawno || label === '' ? drawno : `${drawno} ${label}`}</span>
    </span>
  );
}
