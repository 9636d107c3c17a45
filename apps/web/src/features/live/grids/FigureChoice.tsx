import { ChoiceButton } from '../../../ui/ChoiceButton.tsx';
import type { Figure } from './cellFigures.ts';
import { cellTexts } from './cellTexts.ts';
import classes from './FigureChoice.module.css';

export function FigureChoice({ figure, onFigure }: { figure: Figure; onFigure: (figure: Figure) => void }) {
  return (
    <fieldset className={classes.figures} aria-label={cellTexts.figureOf}>
      {(Object.keys(cellTexts.figures) as Figure[]).map((each) => (
        <ChoiceButton key={each} chosen={each === figure} onClick={() => onFigure(each)}>
          {cellTexts.figures[each]}
        </ChoiceButton>
      ))}
    </fieldset>
  );
}
