import { DrawnResult } from '../../ui/DrawnResult.tsx';
import type { PlayState } from '../playNews.ts';
import { resultGame } from './resultGame.ts';
import styles from './EarlierResults.module.css';

/** So many are shown. */
const SHOWN = 8;

/** The results before the last one, newest first, each with its source and the way to its check. */
export function EarlierResults({ state }: { state: PlayState }) {
  const before = state.results.slice(1, 1 + SHOWN);
  if (before.length === 0) return null;
  const game = resultGame(state);
  return (
    <ul className={styles.strip} aria-label="Results before">
      {before.map((drawn) => (
        <li key={drawn.drawId}>
          {/* Of the pages that check draws, which are loaded. */}
          <a href={`/fair/${drawn.drawId}`}>
            <DrawnResult game={game} drawn={drawn} size={36} />
          </a>
        </li>
      ))}
    </ul>
  );
}
