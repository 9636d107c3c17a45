import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { allWinners } from '@drawhouse/rules/panel/shown-result';
import type { ReactNode } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { playerTexts } from '../../lib/playerTexts.ts';
import styles from './DrawnResult.module.css';

const NONE: ReadonlySet<string> = new Set();

interface AllWinnersProps {
  result: DrawResult['result'];
  mine?: ReadonlySet<string>;
  booster?: number;
  source?: ReactNode;
}

export function AllWinners({ result, mine = NONE, booster = 1, source }: AllWinnersProps) {
  if (!('winners' in result)) return null;
  const groups = allWinners(result.winners);
  const count = groups.reduce((sum, { numbers }) => sum + numbers.length, 0);
  return (
    <div className={styles.all}>
      <p>
        {playerTexts.allWinners(count, mine.size)}
        {booster > 1 && <span className={styles.booster}> ×{booster}</span>}
        {source && <> · {source}</>}
      </p>
      <dl data-one={groups.every(({ numbers }) => numbers.length === 1) || undefined}>
        {groups.map(({ series, numbers }) => (
          <div key={series}>
            <dt>{sharedText(series)}</dt>
            {numbers.map(({ slot, drawno }) => (
              <dd key={slot}>
                {mine.has(slot) ? (
                  <mark>
                    {drawno}
                    <span className="unseen"> {playerTexts.yourNumber}</span>
                  </mark>
                ) : (
                  drawno
                )}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  );
}
