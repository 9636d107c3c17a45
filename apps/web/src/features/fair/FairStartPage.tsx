import { fairPath } from '../../lib/paths.ts';
import { DrawIdForm } from './DrawIdForm.tsx';
import { FairFrame } from './FairFrame.tsx';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

export function FairStartPage() {
  return (
    <FairFrame title={fairTexts.title}>
      <p className={classes.lead}>
        You need not trust this house that a generated result was chance. It commits itself before you bet, and you can
        check it afterwards.
      </p>
      <DrawIdForm />
      <ol className={classes.story}>
        <li>
          <h2>It commits itself</h2>
          <p>
            When a draw opens, before the first bet, the server takes a secret random number, the seed, and shows its
            fingerprint, the commitment. A fingerprint tells nothing of the seed, and nobody can find another seed with
            the same one. So the seed cannot be changed any more without its showing.
          </p>
          <p>
            A draw may also use a <strong>beacon</strong>, a source of random values that the house does not control.
            Its value comes only once betting has closed, so nobody knows the result before. Without one the house could
            know it. The page of each draw says which it is.
          </p>
        </li>
        <li>
          <h2>The odds are fixed</h2>
          <p>
            With the commitment stand the odds of the booster, what each bet pays and the price of a unit. They hold for
            the whole draw. Every outcome is alike likely. What is staked on which outcome plays no part: it is not even
            an ingredient of the calculation.
          </p>
        </li>
        <li>
          <h2>Betting closes</h2>
          <p>
            No bet is taken once anyone can know the result. At that moment one fingerprint of all tickets is published,
            the root of a tree, so that no ticket can be added, changed or taken away later without its showing. Each
            ticket comes with a fingerprint of its own, its digest. Its receipt proves on the page of the draw that it
            was among them.
          </p>
        </li>
        <li>
          <h2>The result is generated, or declared</h2>
          <p>
            Left alone, a draw is <strong>generated</strong>: the result is calculated from the seed, the rules and the
            id of the draw, and from nothing else. No ticket and no stake is among them. In some games the operator may
            save a result instead. It is then <strong>declared</strong>: a person chose it, it does not follow from the
            seed, and it is marked as declared wherever it is shown. A draw can also be <strong>voided</strong>: it has
            no result, and every stake goes back.
          </p>
        </li>
        <li>
          <h2>The seed is published, and you check</h2>
          <p>
            Once the wins are paid, the seed is shown. Its fingerprint has to be the commitment, and the calculation has
            to give the result. The page of each draw does both in your own browser and shows every number. Of a
            declared result and a void draw only the fingerprint can be checked.
          </p>
        </li>
      </ol>
      <section>
        <h2>{fairTexts.sealsTitle}</h2>
        <p>
          Tickets, results and the movements of credit are sealed within seconds into a log that nobody can rewrite
          unnoticed. <a href={fairPath('seals')}>Who vouches for it</a>
        </p>
      </section>
    </FairFrame>
  );
}
