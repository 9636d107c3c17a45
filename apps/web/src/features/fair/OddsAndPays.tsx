import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/booster';
import { formatChance, formatPlainPoints } from './fairFormat.ts';
import type { DrawFinding } from './drawFinding.ts';
import { fairTexts } from './fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

/** Chances below this are told together. */
const RARE = 0.0001;

/** What a bet on this draw pays and how likely it is, and how likely each booster: fixed when the draw opened. */
export function OddsAndPays({ draw, rules }: { draw: FairDraw; rules: DrawFinding['rules'] }) {
  const boosters = draw.weights.flatMap((weight, index) =>
    weight > 0 ? [{ booster: index + 1, chance: weight / BOOSTER_WEIGHT_SUM }] : [],
  );
  const rare = boosters.filter(({ chance }) => chance < RARE);
  return (
    <section aria-labelledby="odds">
      <h2 id="odds">{fairTexts.odds}</h2>
      <p>
        They were fixed when the draw opened, and hold for all of it. One unit costs {formatPlainPoints(draw.unitPrice)}{' '}
        points.
      </p>
      {rules && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Bet</th>
              <th scope="col">Chance</th>
              <th scope="col">Units paid for one</th>
            </tr>
          </thead>
          <tbody>
            {rules.returns.map(({ bet, probability, pay }) => (
              <tr key={bet}>
                <th scope="row">{rules.heads.find(({ name }) => name === bet)?.label ?? bet}</th>
                <td>{formatChance(probability)}</td>
                <td>{formatPlainPoints(pay)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>The booster multiplies every win.</p>
      <ul className={classes.boosters}>
        {boosters
          .filter(({ chance }) => chance >= RARE)
          .map(({ booster, chance }) => (
            <li key={booster}>
              <strong>{booster} X</strong> {formatChance(chance)}
            </li>
          ))}
        {rare.length > 0 && (
          <li>
            <strong>{rare.map(({ booster }) => booster).join(', ')} X</strong> less than {formatChance(RARE)} each
          </li>
        )}
      </ul>
    </section>
  );
}
