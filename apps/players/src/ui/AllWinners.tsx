import { Fragment } from 'react';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { layoutOf } from '@drawhouse/rules/panel/layout';
import { allWinners } from '@drawhouse/rules/panel/shown-result';
import { playerTexts } from '../lib/playerTexts.ts';
import type { ResultGame } from './DrawnResult.tsx';
import styles from './DrawnResult.module.css';

const NONE: ReadonlySet<string> = new Set();

interface AllWinnersProps {
  game: ResultGame;
  result: DrawResult['result'];
  /** Numbers that the player has bet on, to be marked. */
  mine?: ReadonlySet<string>;
}

export function AllWinners({ game, result, mine = NONE }: AllWinnersProps) {
  if (!('winners' in result)) return null;
  const { gameId, digits } = game;
  const groups = allWinners(layoutOf({ gameId, family: game.family as FamilyName, digits }), result.winners);
  if (groups.length === 0) return null;
  const count = groups.reduce((sum, { drawnos }) => sum + drawnos.length, 0);
  return (
    <details className={styles.all}>
      <summary>{playerTexts.allWinners(count)}</summary>
      <dl>
        {groups.map(({ series, drawnos }) => (
          <div key={series}>
            <dt>{series}</dt>
            <dd>
              {drawnos.map((drawno) => (
                <Fragment key={drawno}>{mine.has(drawno) ? <mark>{drawno}</mark> : drawno} </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
