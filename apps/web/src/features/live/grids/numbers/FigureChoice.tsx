import { ChoiceButton } from '../../../../ui/ChoiceButton.tsx';
import type { Figure } from './numberMath.ts';
import { numberTexts } from './numberTexts.ts';
import classes from './NumberGrid.module.css';

/** What the cells show of each number. */
export function FigureChoice({ figure, onFigure }: { figure: Figure; onFigure: (figure: Figure) => void }) {
  return (
    <fieldset className={classes.figures} aria-label={numberTexts.figureOf}>
      {(Object.keys(numberTexts.figures) as Figure[]).map((each) => (
        <ChoiceButton key={each} chosen={each === figure} onClick={() => onFigure(each)}>
          {numberTexts.figures[each]}
        </ChoiceButton>
      ))}
    </fieldset>
  );
}
