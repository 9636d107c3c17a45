import { fairPath } from '../../lib/paths.ts';
import { DrawIdForm } from './DrawIdForm.tsx';
import { FairFrame } from './FairFrame.tsx';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

export function FairStartPage() {
  return (
    <FairFrame title={fairTexts.title}>
      <p className={classes.lead}>
        You don’t have to trust this house that a generated result was chance. It commits before you bet, and you can
        check it afterwards.
      </p>
      <DrawIdForm />
      <ol className={classes.story}>
        <li>
          <h2>The house commits</h2>
          <p>
            When a draw opens, before the first bet, the server picks a secret random number, the seed, and shows its
            fingerprint, the commitment. The fingerprint reveals nothing about the seed, and no one can find another
            seed with the same one. So the seed can no longer be changed without being noticed.
          </p>
          <p>
            A draw may also use a <strong>beacon</strong>, a source of random values that the house does not control.
            Its value is published only after betting has closed, so no one knows the result before. Without a beacon
            the house could know it. Each draw’s page says which applies.
          </p>
        </li>
        <li>
          <h2>The odds are fixed</h2>
          <p>
            The commitment comes with the odds of the booster, the pay of each bet and the price of a unit. They apply
            to the whole draw. All outcomes are equally likely. Stakes play no part: they are not an input to the
            calculation.
          </p>
        </li>
        <li>
          <h2>Betting closes</h2>
          <p>
            No bet is accepted once anyone can know the result. At that moment one fingerprint of all tickets is
            published, the root of a tree, so that no ticket can be added, changed or removed later without being
            noticed. Each ticket has a fingerprint of its own, its digest. Its receipt proves on the draw’s page that it
            was among them.
          </p>
        </li>
        <li>
          <h2>The result is generated, or declared</h2>
          <p>
            By default a draw is <strong>generated</strong>: the result is calculated from the seed, the draw’s id and
            its terms and, if it uses beacons, their values. Tickets and stakes play no part. In some games the operator
            may save a result instead. It is then <strong>declared</strong>: a person chose it, it does not follow from
            the seed, and it is marked as declared wherever it is shown. A draw can also be <strong>voided</strong>: it
            has no result, and all stakes are refunded.
          </p>
        </li>
        <li>
          <h2>The seed is published, and you check</h2>
          <p>
            Once the wins are paid, the seed is shown. Its fingerprint must equal the commitment, and the calculation
            must produce the result. Each draw’s page does both in your own browser and shows every number. For a
            declared result or a void draw only the fingerprint can be checked.
          </p>
        </li>
      </ol>
      <section>
        <h2>{fairTexts.sealsTitle}</h2>
        <p>
          Tickets, results and movements of credit are sealed within seconds in a log, so that later changes can be
          detected. <a href={fairPath('seals')}>How the books are sealed</a>
        </p>
      </section>
    </FairFrame>
  );
}
