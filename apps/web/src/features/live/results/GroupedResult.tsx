import type { PanelLayout, Selection } from '@drawhouse/rules/layout';
import classes from '../panel/PanelFigures.module.css';

interface GroupedResultProps {
  layout: PanelLayout;
  /** By slot the number that won. */
  winners: Selection;
  booster: number;
}

/** A result of several numbers, each told by its series or tier. */
export function GroupedResult({ layout, winners, booster }: GroupedResultProps) {
  const won = layout.sections.filter(({ slot }) => winners[slot] !== undefined);
  const groups = Map.groupBy(won, ({ series, title }) => series ?? title);
  return (
    <div className={classes.grouped}>
      <strong>
        {won.length} of {layout.sections.length} numbers, {booster} X
      </strong>
      <dl>
        {[...groups].map(([title, sections]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <strong>{sections.map(({ slot }) => winners[slot]).join(' ')}</strong>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
