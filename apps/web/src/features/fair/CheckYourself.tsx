import { Copyable } from './Copyable.tsx';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

/** The ways to check a draw that need nothing of this page. */
export function CheckYourself({ drawId }: { drawId: string }) {
  const { origin } = window.location;
  return (
    <section aria-labelledby="yourself">
      <h2 id="yourself">{fairTexts.yourself}</h2>
      <p>
        All of it is in <a href={`/api/fair/draw/${drawId}`}>the JSON of this draw</a>. With the source of this product
        at hand, one command checks it without trusting the server:
      </p>
      <p className={classes.command}>
        <Copyable value={`npm run check-draw -- --steps ${origin}/fair/${drawId}`} name="the command" />
      </p>
      <p>
        docs/fairness.md there has the whole calculation, with examples, for who would rather write the check in a
        language of their own.
      </p>
    </section>
  );
}
