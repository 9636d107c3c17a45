import type { Panel } from '@drawhouse/contract/live/live';
import type { LayoutTab } from '@drawhouse/rules/layout-tabs';
import type { GameRules } from '@drawhouse/rules/rules';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { formatPoints } from '../../../../lib/format.ts';
import type { GridProps } from '../grid.ts';
import { sectionFigures } from '../groupMath.ts';
import { groupTexts } from '../groupTexts.ts';
import { TabList } from '../TabList.tsx';
import classes from './TiersGrid.module.css';

interface TierTabsProps extends Pick<GridProps, 'selection' | 'result'> {
  tabs: readonly LayoutTab[];
  /** The key of the tier that is shown. */
  current: string;
  /** The id of what shows it. */
  controls: string;
  panel: Panel;
  rules: GameRules;
  onChange: (key: string) => void;
}

/** The tiers: each with its collection, and the number that is chosen or has won. */
export function TierTabs({ tabs, panel, rules, selection, result, ...list }: TierTabsProps) {
  return (
    <TabList items={tabs} label={groupTexts.tiers} className={classes.tabs} tabClass={classes.tab} {...list}>
      {({ title, sections }) => {
        const section = sections[0]!;
        const chosen = selection[section.slot];
        const drawn = result?.selection[section.slot];
        return (
          <>
            <span className={classes.tier}>{title}</span>
            <span className={classes.tabSum}>{formatPoints(sectionFigures(section, panel, rules).collection)}</span>
            <span className={classes.winner} data-chosen={chosen !== undefined || undefined}>
              {chosen !== undefined && <IconCheck size={16} stroke={3} aria-hidden />}
              {chosen === undefined && drawn !== undefined && <IconLock size={14} aria-hidden />}
              {chosen ?? drawn ?? '–'}
              {(chosen ?? drawn) !== undefined && (
                <span className="unseen"> {chosen === undefined ? groupTexts.result : groupTexts.chosen}</span>
              )}
            </span>
          </>
        );
      }}
    </TabList>
  );
}
