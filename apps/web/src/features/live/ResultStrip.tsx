import type { DrawResult } from '@drawhouse/contract/draws';
import type { Panel } from '@drawhouse/contract/live';
import { Popover, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { formatDateTime } from '../../lib/format.ts';
import { fairPath } from '../../lib/paths.ts';
import { OutcomeImage } from '../../ui/pictures/OutcomeImage.tsx';
import { formatClock } from './liveFormat.ts';
import { resultText } from './panelMath.ts';
import { resultPicture } from './ResultImage.tsx';
import classes from './PanelFigures.module.css';

const SOURCE = {
  declared: { sign: 'D', text: 'Declared by an operator' },
  generated: { sign: 'G', text: 'Generated from the committed seed' },
} as const;

/** The last results, newest first, each with the sign of where it came from. */
export function ResultStrip({ panel }: { panel: Panel }) {
  const results = panel.lastData.data;
  return (
    <section className={classes.results} aria-labelledby="recent-results">
      <h2 className={classes.heading} id="recent-results">
        Recent results
        <span className={classes.legend}>
          <Sign source="declared" /> declared <Sign source="generated" /> generated
        </span>
      </h2>
      {results.length === 0 ? (
        <p className={classes.none}>No results yet. The first one comes with the running draw.</p>
      ) : (
        <ul className={classes.strip}>
          {results.map((result) => (
            <li key={result.drawId}>
              <ResultChip panel={panel} result={result} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Sign({ source }: { source: DrawResult['source'] }) {
  return (
    <span className={classes.sign} data-source={source} aria-hidden>
      {SOURCE[source].sign}
    </span>
  );
}

function ResultChip({ panel, result }: { panel: Panel; result: DrawResult }) {
  const picture = resultPicture(panel, result.result);
  const source = SOURCE[result.source];
  const when = `Draw ${result.number}, ${formatClock(result.drawsAt)}. ${source.text}.`;
  return (
    <Popover position="top-start" shadow="sm" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={when}>
          <button type="button" className={classes.chip}>
            {picture && <OutcomeImage {...picture} size={24} />}
            <span>
              <strong>
                {picture ? picture.drawno : result.drawno}
                {picture && picture.label !== picture.drawno && (
                  <span className={classes.unseen}> {picture.label}</span>
                )}
              </strong>{' '}
              <span className={classes.booster}>{result.booster} X</span>
            </span>
            <Sign source={result.source} />
            <span className={classes.unseen}>{result.source}</span>
          </button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.details} aria-label={`Draw ${result.number}`}>
        {picture && <OutcomeImage {...picture} size={64} />}
        <strong>{resultText(result)}</strong>
        <span>Draw {result.number}</span>
        <span>{formatDateTime(result.drawsAt)}</span>
        <span>{source.text}</span>
        <a href={fairPath(result.drawId)} target="_blank" rel="noreferrer">
          Check this draw
          <IconExternalLink size={14} aria-hidden />
        </a>
      </Popover.Dropdown>
    </Popover>
  );
}
