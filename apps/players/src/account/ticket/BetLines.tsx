import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { rulesOf } from '../../lib/betting/familyRules.ts';
import { countText } from '../../lib/amounts.ts';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import type { OwnBet } from './proveBet.ts';
import { richText } from '@drawhouse/session/rich-text';
import { ticketTexts } from './ticketTexts.ts';
import styles from './MyBetPage.module.css';

const texts = ticketTexts.lines;
const SHOWN_LINES = 40;

export function betNames({
  gameId,
  family,
  digits,
  lines,
}: Pick<OwnBet, 'gameId' | 'family' | 'digits' | 'lines'>): readonly string[] {
  const rules = rulesOf({ gameId, family: family as FamilyName, digits });
  return lines.map(({ drawno, head = rules.heads[0]!.name, series = null }) =>
    sharedText(lineName({ drawno, head, series }, rules)),
  );
}

export function BetLines({ bet }: { bet: OwnBet }) {
  const [isWhole, setWhole] = useState(false);
  const { lines, unitPrice } = bet;
  const names = betNames(bet);
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  return (
    <section className={styles.lines} aria-labelledby="lines">
      <h2 id="lines">{texts.title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.bet}</th>
            <th scope="col">{texts.units}</th>
            <th scope="col">{texts.stake}</th>
            <th scope="col">{texts.won}</th>
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
          {texts.showAll(lines.length)}
        </Button>
      )}
      <p className={styles.unit}>{richText(texts.unitPrice, { points: <Money points={unitPrice} /> })}</p>
    </section>
  );
}
