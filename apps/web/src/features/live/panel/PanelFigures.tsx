import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import type { PanelLayout, Selection } from '@drawhouse/rules/panel/layout';
import { drawName } from '@drawhouse/rules/time/draw-name';
import { richText } from '@drawhouse/session/rich-text';
import { Popover, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Suspense, useEffect, useState, memo } from 'react';
import { lazyExtra } from '../../../lib/lazyParts.ts';
import { AimedGrid } from './AimedGrid.tsx';
import { formatPoints, formatDateTime } from '../../../lib/format/format.ts';
import { Points } from '../../../ui/mark/Points.tsx';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import type { PanelControls } from './controls/usePanelControls.ts';
import { NextDraw } from './NextDraw.tsx';
import { Commitment } from './PanelHead.tsx';
import { resultText } from './panelMath.ts';
import classes from './LivePanelPage.module.css';
import dailyClasses from './PanelFigures.module.css';
import { fairPath } from '../../../lib/paths.ts';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { formatClock, resultName, winnersOf } from '../liveFormat.ts';
import { resultPicture, SourceSign, sourceText, sourceWord } from '../LiveMarks.tsx';
import chips from '../LiveMarks.module.css';

const Frequencies = lazyExtra(async () => (await import('../results/Frequencies.tsx')).Frequencies);

/** Secondary content waits for the controls. */
const EXTRAS_AFTER_MS = 1_500;

interface PanelFiguresProps {
  /** Result of `usePanelWithoutStakes`. */
  still: Panel;
  controls: PanelControls;
  looks: {
    isOld: boolean;
    narrow: boolean;
    phone: boolean;
  };
}

export function PanelFigures({ still, controls, looks: { isOld, narrow, phone } }: PanelFiguresProps) {
  const later = useMountedFor(EXTRAS_AFTER_MS);
  return (
    <>
      <AimedGrid still={still} controls={controls} isOld={isOld} narrow={phone} />
      <div className={classes.sums}>
        {/* On a phone, the head shows it. */}
        {!phone && <DrawCollection panel={controls.figures} />}
        <DailyFigures panel={still} narrow={phone} />
      </div>
      <ResultStrip panel={still} />
      {later && (
        <Suspense>
          <Frequencies panel={still} />
        </Suspense>
      )}
      {narrow && still.draw && <Commitment draw={still.draw} />}
      {narrow && <NextDraw panel={still} />}
    </>
  );
}

function useMountedFor(afterMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isOver;
}

const DailyFigures = memo(function DailyFigures({ panel, narrow }: { panel: Panel; narrow: boolean }) {
  const figures = [
    { name: liveTexts.gameBalance, value: panel.percentageData[0]?.gameBalance ?? 0 },
    { name: liveTexts.collection, value: panel.collections.totalPlaypoints },
    { name: liveTexts.payment, value: panel.collections.totalWinpoints },
    { name: liveTexts.balance, value: panel.collections.balance },
  ];
  return (
    <section className={dailyClasses.daily} aria-labelledby="daily-figures">
      <h2 className={dailyClasses.heading} id="daily-figures">
        {liveTexts.dailyTitle}
      </h2>
      <table className={dailyClasses.table} aria-labelledby="daily-figures">
        {narrow ? (
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.name}>
                <th scope="row">{figure.name}</th>
                <td>
                  <Points value={figure.value} />
                </td>
              </tr>
            ))}
          </tbody>
        ) : (
          <>
            <thead>
              <tr>
                {figures.map((figure) => (
                  <th key={figure.name} scope="col">
                    {figure.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                {figures.map((figure) => (
                  <td key={figure.name}>
                    <Points value={figure.value} />
                  </td>
                ))}
              </tr>
            </tbody>
          </>
        )}
      </table>
    </section>
  );
});

export function DrawCollection({ panel }: { panel: Panel }) {
  return (
    <section className={dailyClasses.collection} aria-label={liveTexts.drawCollection}>
      <h2 className={dailyClasses.heading}>{liveTexts.drawCollection}</h2>
      <span className={dailyClasses.collectionValue}>{formatPoints(panel.totalsumdata)}</span>
    </section>
  );
}

const ResultSums = lazyExtra(async () => (await import('../results/ResultSums.tsx')).ResultSums);

const ResultStrip = memo(function ResultStrip({ panel }: { panel: Panel }) {
  const results = panel.lastData.data;
  return (
    <section className={dailyClasses.results} aria-labelledby="recent-results">
      <h2 className={dailyClasses.heading} id="recent-results">
        {richText(liveTexts.recentResults, {
          span: (
            <span className={dailyClasses.legend}>
              <SourceSign source="declared" />{' '}
              {richText(liveTexts.declaredGenerated, {
                sourceSign: <SourceSign source="generated" />,
                outsideSign: <SourceSign source="declared" outside="" />,
              })}
            </span>
          ),
        })}
      </h2>
      {results.length === 0 ? (
        <p className={dailyClasses.none}>{liveTexts.noResultsYetFirst}</p>
      ) : (
        <ul className={chips.list}>
          {results.map((result) => (
            <li key={result.drawId}>
              <ResultChip panel={panel} result={result} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
});

function ResultChip({ panel, result }: { panel: Panel; result: DrawResult }) {
  const picture = resultPicture(panel, result.result);
  const several = winnersOf(panel, result.result);
  const [opened, setOpened] = useState(false);
  const source = sourceText(result);
  const when = liveTexts.drawnFrom(drawName(result.number), formatClock(result.drawsAt), source);
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" shadow="sm" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={when} disabled={opened}>
          <button
            type="button"
            className={`${chips.chip} ${dailyClasses.result}`}
            onClick={() => setOpened((now) => !now)}
          >
            {picture && <OutcomePicture {...picture} size={24} />}
            <span>
              <strong>
                {picture ? picture.drawno : resultName(panel, result.result, result.drawno)}
                {picture && picture.label !== picture.drawno && <span className="unseen"> {picture.label}</span>}
              </strong>{' '}
              <span className={dailyClasses.booster}>{result.booster} X</span>
            </span>
            <SourceSign source={result.source} outside={result.outside} />
            <span className="unseen">{sourceWord(result)}</span>
          </button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={dailyClasses.details} aria-label={liveTexts.drawNumber(drawName(result.number))}>
        {picture && <OutcomePicture {...picture} size={64} />}
        {several ? <GroupedResult {...several} booster={result.booster} /> : <strong>{resultText(result)}</strong>}
        <span>{liveTexts.drawOfResult(drawName(result.number))}</span>
        <span>{formatDateTime(result.drawsAt)}</span>
        <span>{source}</span>
        <div className={dailyClasses.sums}>
          <Suspense>
            <ResultSums panel={panel} drawId={result.drawId} />
          </Suspense>
        </div>
        <a href={fairPath(result.drawId)} target="_blank" rel="noreferrer">
          {resultTexts.check}
          <IconExternalLink size={14} aria-hidden />
        </a>
      </Popover.Dropdown>
    </Popover>
  );
}

interface GroupedResultProps {
  layout: PanelLayout;
  winners: Selection;
  booster: number;
}

function GroupedResult({ layout, winners, booster }: GroupedResultProps) {
  const won = layout.sections.filter(({ slot }) => winners[slot] !== undefined);
  const groups = Map.groupBy(won, ({ series, title }) => series ?? title);
  return (
    <div className={dailyClasses.grouped}>
      <strong>{liveTexts.numbersX(won.length, layout.sections.length, booster)}</strong>
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
