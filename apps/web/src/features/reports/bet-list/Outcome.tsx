import type { ShownOutcome } from '@drawhouse/contract/reports/bet-list';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { pictureFor } from '../../../ui/pictures/pictureSets.ts';
import classes from './betList.module.css';

interface OutcomeProps {
  game: { readonly gameId: string; readonly family: string };
  /** Null where it is none of the game's outcomes, as the last two digits of a triple. */
  outcome: ShownOutcome | null;
  /** What it is called without one. */
  drawno: string;
  /** In px. */
  size?: number;
}

/** An outcome as its game shows it: its picture, and its number with the name that it has beside. */
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
