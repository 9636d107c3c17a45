import type { PanelSection } from '@drawhouse/rules/layout';
import { useId, useMemo } from 'react';
import type { RefObject } from 'react';
import { useWidth } from '../../../../ui/useWidth.ts';
import { consequence } from '../../panel/panelMath.ts';
import { cellLook, scaleOf } from '../cellFigures.ts';
import type { Figure } from '../cellFigures.ts';
import { cellLayout, cellStyle } from '../cellLayout.ts';
import { boosterOf, sectionRows } from '../grid.ts';
import type { GridProps } from '../grid.ts';
import { arrowTarget } from '../gridKeys.ts';
import parts from '../gridParts.module.css';
import { sectionFigures } from '../groupMath.ts';
import { groupTexts } from '../groupTexts.ts';
import { NumberCells } from '../NumberCells.tsx';
import { NumbersToolbar } from '../NumbersToolbar.tsx';
import { reasonOf } from '../reasonOf.ts';
import { useGlow } from '../useGlow.ts';
import type { Look } from '../useLook.ts';
import { lineWidth } from './lineWidth.ts';
import { NumberLine } from './NumberLine.tsx';
import { Amount } from './SeriesTabs.tsx';
import classes from './SeriesGrid.module.css';

interface SeriesBoardProps extends GridProps {
  grid: RefObject<HTMLDivElement | null>;
  id: string;
  /** The sub-series. */
  section: PanelSection;
  figure: Figure;
  look: Look;
}

/** The hundred numbers of a sub-series, and beneath them all about the one that is looked at. */
export function SeriesBoard({ grid, id, section, figure, look, ...props }: SeriesBoardProps) {
  const { panel, rules, selection, result, booster, disabled, dimmed, onToggle } = props;
  const { slot, title } = section;
  const lineId = useId();
  const { ref: measured, width } = useWidth();
  const cells = cellLayout(width);
  const indexes = useMemo(() => section.rows.flat(), [section]);
  const rows = sectionRows(panel, section).flat();
  const { collection, worst, largest } = sectionFigures(section, panel, rules);
  const inSight = useMemo(() => [{ key: section.key, indexes }], [section, indexes]);
  useGlow(grid, { rows: panel.data, scope: `${panel.draw?._id} ${section.key}`, inSight });

  const selected = selection[slot] ?? null;
  const drawn = result?.selection[slot] ?? null;
  const own = (drawno: string | null) => (rows.some((row) => row.drawno === drawno) ? drawno : null);
  const reachable = own(look.current) ?? selected ?? rows[0]?.drawno ?? null;
  const lookedAt = own(look.hovered) ?? reachable;
  const lookedAtRow = rows.find(({ drawno }) => drawno === lookedAt);
  const scale = scaleOf(figure === 'sum' ? largest : worst);
  return (
    <div
      ref={measured}
      className={`${parts.numbers} ${classes.board}`}
      style={cellStyle(cells)}
      id={id}
      role="tabpanel"
      aria-label={title}
    >
      <div className={classes.boardHead}>
        <strong>{title}</strong>
        <Amount name={groupTexts.collection} value={collection} />
        <Amount name={groupTexts.worst} value={consequence({ pays: worst }, booster, collection).pays} />
      </div>
      <NumbersToolbar
        ref={grid}
        className={classes.numbers}
        label={`${groupTexts.numbersOf} ${title}`}
        dimmed={dimmed}
        look={look}
        targetOf={(key, index, all) => arrowTarget(key, index, all.length, cells.columns)}
        onClick={(drawno) => !disabled && onToggle(slot, drawno)}
      >
        <div data-section={section.key}>
          <NumberCells
            key={section.key}
            rows={rows}
            selected={selected}
            drawn={drawn}
            current={lookedAt === reachable ? own(look.current) : null}
            reachable={reachable}
            detailId={lineId}
            {...cellLook({ figure, booster, collection, scale, wholeBelow: cells.wholeBelow, disabled })}
          />
        </div>
      </NumbersToolbar>
      {lookedAtRow && (
        <NumberLine
          id={lineId}
          row={lookedAtRow}
          title={title}
          collection={collection}
          booster={boosterOf(props, slot, lookedAtRow.drawno)}
          note={NOTES[reasonOf({ lookedAt: lookedAtRow.drawno, selected, drawn }, null) ?? 'none']}
          amountWidth={lineWidth(width)}
        />
      )}
    </div>
  );
}

const NOTES = { chosen: groupTexts.chosen, result: groupTexts.result, dearest: '', none: '' };
