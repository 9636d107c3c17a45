import { drawName } from '@drawhouse/rules/time/draw-name';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { Popover, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Suspense, useState, memo } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { lazyExtra } from '../../../lib/lazyParts.ts';
import { fairPath } from '../../../lib/paths.ts';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { formatClock, resultName, winnersOf } from '../liveFormat.ts';
import { resultText } from '../panel/panelMath.ts';
import { resultPicture, SourceSign, sourceText, sourceWord } from '../LiveMarks.tsx';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import chips from '../LiveMarks.module.css';
import classes from '../panel/PanelFigures.module.css';
import type { PanelLayout, Selection } from '@drawhouse/rules/panel/layout';
import { richText } from '@drawhouse/session/rich-text';

const ResultSums = lazyExtra(async () => (await import('./ResultSums.tsx')).ResultSums);

export const ResultStrip = memo(function ResultStrip({ panel }: { panel: Panel }) {
  const results = panel.lastData.data;
  return (
    <section className={classes.results} aria-labelledby="recent-results">
      <h2 className={classes.heading} id="recent-results">
        {richText(liveTexts.recentResults, {
          span: (
            <span className={classes.legend}>
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
        <p className={classes.none}>{liveTexts.noResultsYetFirst}</p>
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
          <button type="button" className={`${chips.chip} ${classes.result}`} onClick={() => setOpened((now) => !now)}>
            {picture && <OutcomePicture {...picture} size={24} />}
            <span>
              <strong>
                {picture ? picture.drawno : resultName(panel, result.result, result.drawno)}
                {picture && picture.label !== picture.drawno && <span className="unseen"> {picture.label}</span>}
              </strong>{' '}
              <span className={classes.booster}>{result.booster} X</span>
            </span>
            <SourceSign source={result.source} outside={result.outside} />
            <span className="unseen">{sourceWord(result)}</span>
          </button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.details} aria-label={liveTexts.drawNumber(drawName(result.number))}>
        {picture && <OutcomePicture {...picture} size={64} />}
        {several ? <GroupedResult {...several} booster={result.booster} /> : <strong>{resultText(result)}</strong>}
        <span>{liveTexts.drawOfResult(drawName(result.number))}</span>
        <span>{formatDateTime(result.drawsAt)}</span>
        <span>{source}</span>
        <div className={classes.sums}>
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
    <div className={classes.grouped}>
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
