import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { useState } from 'react';
import { countText } from '../../lib/amounts.ts';
import { lineName } from '@drawhouse/rules/bet-text/lines-text';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import type { OwnBet } from './proveBet.ts';
import styles from './BetLines.module.css';

const SHOWN_LINES = 40;

export function betNames({
  gameId,
  family,
  digits,
  lines,
}: Pick<OwnBet, 'gameId' | 'family' | 'digits' | 'lines'>): readonly string[] {
  const rules = rulesFor({ gameId, family: family as FamilyName, digits });
  return lines.map(({ drawno, head = rules.heads[0]!.name, series = null }) =>
    lineName({ drawno, head, series }, rules),
  );
}

export function BetLines({ bet }: { bet: OwnBet }) {
  const [isWhole, setWhole] = useState(false);
  const { lines, unitPrice } = bet;
  const names = betNames(bet);
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  return (
    <section className={styles.lines} aria-labelledby="lines">
      <h2 id="lines">Your bets</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Bet</th>
            <th scope="col">Units</th>
            <th scope="col">Stake</th>
            <th scope="col">Won</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ qty, stake, win }, index) => (
            // Lines may repeat a bet; their order never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index} data-won={(win ?? 0) > 0 || undefined}>
              <th scope="row">{names[index]}</th>
              <td>{countText(qty)}</td>
              <td>
                <Money points={stake} />
              </td>
              <td>{win === null ? '–' : <Money points={win} isChange />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > shown.length && (
        <Button isWide onClick={() => setWhole(true)}>
          Show all {countText(lines.length)} bets
        </Button>
      )}
      <p className={styles.unit}>
        One unit cost <Money points={unitPrice} /> on this draw.
      </p>
    </section>
  );
}
