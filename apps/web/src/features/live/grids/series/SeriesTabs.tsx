import type { Panel } from '@drawhouse/contract/live/live';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import type { PanelSection, Selection, LayoutTab } from '@drawhouse/rules/panel/layout';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { memo, type CSSProperties } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import type { GridProps } from '../grid.ts';
import { consequence } from '../../panel/panelMath.ts';
import { sectionFigures } from '../groupMath.ts';
import { gridTexts, groupTexts } from '../gridTexts.ts';
import { TabList } from '../TabList.tsx';
import classes from './SeriesGrid.module.css';
import { richText } from '@drawhouse/session/rich-text';

interface ListProps {
  current: string;
  controls: string;
  panel: Panel;
  rules: GameRules;
  selection: Selection;
  onChange: (key: string) => void;
}

export function SeriesTabs({ tabs, panel, rules, selection, ...list }: ListProps & { tabs: readonly LayoutTab[] }) {
  return (
    <TabList items={tabs} label={groupTexts.series} className={classes.series} tabClass={classes.seriesTab} {...list}>
      {({ title, sections }) => (
        <>
          <span className={classes.range}>{title}</span>
          <span className={classes.seriesSum}>
            {formatPoints(sumPoints(sections.map((section) => sectionFigures(section, panel, rules).collection)))}
          </span>
          <span className={classes.count}>
            {richText(gridTexts.chosenOfAll, {
              count: sections.filter(({ slot }) => selection[slot] !== undefined).length,
              all: sections.length,
              span: <span className="unseen"> {groupTexts.chosen}</span>,
            })}
          </span>
        </>
      )}
    </TabList>
  );
}

interface SubSeriesListProps extends ListProps, Pick<GridProps, 'booster' | 'result'> {
  sections: readonly PanelSection[];
}

export function SubSeriesList({ sections, panel, rules, selection, booster, result, ...list }: SubSeriesListProps) {
  return (
    <TabList
      items={sections}
      label={groupTexts.subseries}
      vertical
      className={classes.list}
      tabClass={classes.item}
      {...list}
    >
      {(section) => {
        const { collection, worst } = sectionFigures(section, panel, rules);
        const chosen = selection[section.slot];
        return (
          <SubSeries
            title={section.title}
            winner={chosen ?? result?.selection[section.slot]}
            isChosen={chosen !== undefined}
            collection={collection}
            worst={worst}
            booster={booster}
          />
        );
      }}
    </TabList>
  );
}

interface SubSeriesProps {
  title: string;
  winner: string | undefined;
  isChosen: boolean;
  collection: number;
  worst: number;
  booster: number;
}

const SubSeries = memo(function SubSeries({ title, winner, isChosen, collection, worst, booster }: SubSeriesProps) {
  const [first, last] = title.split('-');
  return (
    <>
      <span className="unseen">{title}</span>
      <span className={classes.range} aria-hidden>
        {first}
        <span className={classes.rest}>-{last}</span>
      </span>
      <span className={classes.winner} data-chosen={isChosen || undefined}>
        {winner === undefined ? (
          '–'
        ) : (
          <>
            {isChosen ? <IconCheck size={14} stroke={3} aria-hidden /> : <IconLock size={13} aria-hidden />}
            {winner}
            <span className="unseen">{isChosen ? groupTexts.chosen : groupTexts.result}</span>
          </>
        )}
      </span>
      <Amount name={groupTexts.collection} value={collection} />
      <Amount name={groupTexts.worst} value={consequence({ pays: worst }, booster, collection).pays} />
    </>
  );
});

export function Amount({ name, value }: { name: string; value: number }) {
  const text = formatPoints(value);
  return (
    <span className={classes.figure}>
      {name} <span style={{ '--length': text.length } as CSSProperties}>{text}</span>
    </span>
  );
}
