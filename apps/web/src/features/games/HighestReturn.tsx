import { highestReturn } from '@drawhouse/contract/games/games';
import type { Game } from '@drawhouse/contract/games/games';
import { Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatPoints } from '../../lib/format.ts';
import { RETURN_MARKS } from '../../lib/returnMarks.ts';
import { returnSentence } from '../../lib/returnWithCommission.ts';
import classes from './GameReturns.module.css';

/** The highest return of a game's bets: marked where it is above the stake by itself. A tooltip says which commissions take it there. */
export function HighestReturn({ game }: { game: Pick<Game, 'returns'> }) {
  const isAbove = game.returns.some(({ mark }) => mark === 'above');
  return (
    <Tooltip label={returnSentence(game)} openDelay={300} multiline maw={280}>
      <span className={isAbove ? classes.above : undefined}>
        {isAbove && <IconAlertTriangle className={classes.mark} size={14} aria-label={RETURN_MARKS.above.name} />}
        {`${formatPoints(highestReturn(game))}\u{a0}%`}
      </span>
    </Tooltip>
  );
}
