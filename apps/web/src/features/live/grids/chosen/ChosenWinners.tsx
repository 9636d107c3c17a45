import type { Panel } from '@drawhouse/contract/live/live';
import { NO_SELECTION, type Selection, type LayoutTab } from '@drawhouse/rules/panel/layout';
import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useRef, type CSSProperties } from 'react';
import { flushSync } from 'react-dom';
import { formatPoints } from '../../../../lib/format/format.ts';
import type { GridProps } from '../grid.ts';
import { cellText } from '../numbers/cellFigures.ts';
import { consequence, type Consequence } from '../../panel/panelMath.ts';
import { winnersByTab, winnersConsequence, type Winner } from '../groupMath.ts';
import { gridTexts, groupTexts } from '../gridTexts.ts';
import chips from '../../LiveMarks.module.css';
import classes from './ChosenWinners.module.css';
import { richText } from '@drawhouse/session/rich-text';

/** The total above is always exact. */
const COMPACT_FROM = 1_000_000;

interface ChosenWinnersProps extends Pick<GridProps, 'selection' | 'result' | 'booster' | 'onToggle' | 'onSelect'> {
  panel: Panel;
  tabs: readonly LayoutTab[];
  hint: string;
}

export function ChosenWinners({
  panel,
  tabs,
  selection,
  result,
  booster,
  hint,
  onToggle,
  onSelect,
}: ChosenWinnersProps) {
  const list = useRef<HTMLElement>(null);

  /** Focuses the next number, or the list. */
  function takeBack({ section, drawno }: Winner) {
    const all = () => [...list.current!.querySelectorAll<HTMLElement>('[data-winner]')];
    const index = all().findIndex((each) => each === document.activeElement);
    flushSync(() => onToggle(section.slot, drawno));
    const left = all();
    (left[Math.min(index, left.length - 1)] ?? list.current)?.focus();
  }

  function clear() {
    onSelect(NO_SELECTION);
    list.current?.focus();
  }

  const chosen = summaryOf(panel, tabs, selection, booster);
  const drawn = result && summaryOf(panel, tabs, result.selection, result.booster);
  return (
    <section ref={list} className={classes.chosen} tabIndex={-1} aria-label={groupTexts.chosenNumbers}>
      <div className={classes.head}>
        <h2 className={classes.title}>{groupTexts.chosenOf(chosen.count, chosen.of)}</h2>
        {chosen.count === 0 ? (
          !drawn && <p className={classes.hint}>{hint}</p>
        ) : (
          <>
            <ConsequenceText of={chosen.consequence} />
            <Button size="xs" variant="default" className={classes.clear} onClick={clear}>
              {groupTexts.clearAll}
            </Button>
          </>
        )}
      </div>
      {chosen.count > 0 && <Winners groups={chosen.groups} booster={booster} onTakeBack={takeBack} />}
      {drawn && (
        <>
          <div className={classes.head}>
            <h2 className={classes.title}>{groupTexts.drawnOf(drawn.count, drawn.of)}</h2>
            <ConsequenceText of={drawn.consequence} />
          </div>
          <Winners groups={drawn.groups} booster={result.booster} />
        </>
      )}
    </section>
  );
}

export function summaryOf(panel: Panel, tabs: readonly LayoutTab[], selection: Selection, booster: number) {
  const groups = winnersByTab(tabs, panel, selection);
  const winners = groups.flatMap((group) => group.winners);
  return {
    groups,
    count: winners.length,
    of: tabs.reduce((sum, { sections }) => sum + sections.length, 0),
    consequence: winnersConsequence(winners, booster, panel.totalsumdata),
  };
}

export function ConsequenceText({ of: { pays, leaves } }: { of: Consequence }) {
  return (
    <span className={classes.consequence}>
      {richText(gridTexts.paysKeeps, {
        pays: formatPoints(pays),
        span: <span data-sign={leaves < 0 ? 'loss' : undefined}>{formatPoints(leaves)}</span>,
      })}
    </span>
  );
}

interface WinnersProps {
  groups: ReturnType<typeof winnersByTab>;
  booster: number;
  onTakeBack?: (winner: Winner) => void;
}

function Winners({ groups, booster, onTakeBack }: WinnersProps) {
  return (
    <div className={classes.groups}>
      {groups.map(({ tab, winners }) => (
        <div key={tab.key} className={classes.group}>
          <h3 className={classes.series}>{tab.title}</h3>
          <ul className={`${chips.list} ${classes.list}`} data-of={tab.sections.length}>
            {winners.map((winner) => {
              const { section, drawno } = winner;
              const { pays: points } = consequence(winner, booster, 0);
              const pays = cellText(points, COMPACT_FROM);
              const amount = (
                <span
                  className={classes.pays}
                  title={formatPoints(points)}
                  style={{ '--length': pays.length } as CSSProperties}
                >
                  {pays}
                </span>
              );
              return (
                <li key={section.key} style={{ '--place': tab.sections.indexOf(section) + 1 } as CSSProperties}>
                  {onTakeBack ? (
                    <button
                      type="button"
                      className={`${chips.chip} ${classes.winner}`}
                      data-winner
                      onClick={() => onTakeBack(winner)}
                    >
                      <span className="unseen">{groupTexts.takeBack} </span>
                      <strong>{drawno}</strong>
                      <span className="unseen"> {groupTexts.ofSection(section.title)} </span>
                      {amount}
                      <span className={classes.cross} aria-hidden>
                        ×
                      </span>
                    </button>
                  ) : (
                    <span className={`${chips.chip} ${classes.winner}`}>
                      <IconLock size={14} aria-hidden />
                      <strong>{drawno}</strong>
                      {amount}
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </div>
  );
}
