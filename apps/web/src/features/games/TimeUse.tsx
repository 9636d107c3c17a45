import type { oneTime } from '@drawhouse/contract/games/times';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { formatExactTime } from '../../lib/format.ts';
import { beginsAt, intervalText } from './timeForm.ts';
import { timeTexts } from './timeTexts.ts';
import classes from './TimeUse.module.css';

type Games = RouteAnswer<typeof oneTime>['data']['games'];

interface TimeUseProps {
  games: Games;
  /** What was typed in place of what it is; null while that is nothing, or nothing that can be saved. */
  seconds: number | null;
  now: string;
}

/** Which games a time belongs to, and from when each of them draws by another one. */
export function TimeUse({ games, seconds, now }: TimeUseProps) {
  if (games.length === 0) return <p className={classes.lead}>{timeTexts.unused}</p>;
  const drawing = games.filter((game) => game.draws);
  const others = games.filter((game) => !game.draws);
  // All that begin at the same moment are told of together: most of them do.
  const moments = Map.groupBy(drawing, (game) => (seconds === null ? '' : beginsAt(seconds, game.runsUntil, now)));
  return (
    <section className={classes.use} aria-label="Games" aria-live="polite">
      {[...moments].map(([moment, some]) => (
        <div key={moment}>
          <p className={classes.lead}>
            {moment === '' || seconds === null ? (
              `${countOf(some)} by this time.`
            ) : (
              <>
                {countOf(some)} every {intervalText(seconds)} from <strong>{formatExactTime(moment)}</strong> if it is
                saved now. The running draws end as they were opened.
              </>
            )}
          </p>
          <ul className={classes.games}>
            {some.map((game) => (
              <li key={game._id}>{game.gameName}</li>
            ))}
          </ul>
        </div>
      ))}
      {others.length > 0 && (
        <p className={classes.lead}>
          {others.map((game) => game.gameName).join(', ')} {others.length === 1 ? 'has' : 'have'} it too, and draw
          {others.length === 1 ? 's' : ''} by another one.
        </p>
      )}
    </section>
  );
}

function countOf(games: Games): string {
  return games.length === 1 ? 'This game draws' : `These ${games.length} games draw`;
}
