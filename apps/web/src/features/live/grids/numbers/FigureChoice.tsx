import { ChoiceButton } from '../../../../ui/ChoiceButton.tsx';
import type { Figure } from './numbersMath.ts';
import { LABELS } from './numbersTexts.ts';
import classes from './NumbersGrid.module.css';

/** What the cells show of each number. */
export function FigureChoice({ figure, onFigure }: { figure: Figure; onFigure: (figure: Figure) => void }) {
  return (
    <fieldset className={classes.figures} aria-label={LABELS.figureOf}>
      {(Object.keys(LABELS.figures) as Figure[]).map((each) => (
        <ChoiceButton key={each} chosen={each === figure} onClick={() => onFigure(each)}>
          {LABELS.figures[each]}
        </ChoiceButton>
      ))}
    </fieldset>
  );
}
