import { drawName } from '@drawhouse/rules/time/draw-name';
import type { DrawResult, ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { useEffect, type CSSProperties } from 'react';
import { formatPoints } from '../../../lib/format/format.ts';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { resultPicture, sourceWord, type ShownGame } from '../LiveMarks.tsx';
import { resultTexts, wallTexts } from '../liveTexts.ts';
import { momentText, RESULT_SHOWN_MS, useResultNews } from '../results/resultNews.ts';
import { useResultSums } from '../results/ResultSums.tsx';
import classes from './WallMoment.module.css';
import { drawnOutcome } from '@drawhouse/rules/panel/shown-result';
import { winnersOf } from '../liveFormat.ts';

export function WallMoments({ panel }: { panel: Panel }) {
  const { news, onDone } = useResultNews(panel);
  return news && <WallMoment key={news.drawId} panel={panel} result={news} onDone={onDone} />;
}

interface WallMomentProps {
  panel: Panel;
  result: DrawResult;
  onDone: () => void;
}

function WallMoment({ panel, result, onDone }: WallMomentProps) {
  const { sums, error } = useResultSums(panel, result.drawId);
  useEffect(() => {
    const timer = setTimeout(onDone, RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [onDone]);
  const isReady = sums !== undefined || error !== null;
  return (
    <>
      <output className="unseen">{isReady && momentText(result, sums)}</output>
      <section className={classes.moment} aria-label={resultTexts.ofDraw(drawName(result.number))}>
        <WallOutcome game={panel} result={result.result} />
        <p className={classes.facts}>
          <span>
            {wallTexts.draw} <strong>{drawName(result.number)}</strong>
          </span>
          <span>
            {sourceWord(result)}, <strong>{result.booster} X</strong>
          </span>
          <span>
            {resultTexts.paid} <strong>{sums ? formatPoints(sums.paid) : '…'}</strong>
          </span>
          <span>
            {resultTexts.left}{' '}
            <strong data-sign={sums && sums.left < 0 ? 'loss' : undefined}>
              {sums ? formatPoints(sums.left) : '…'}
            </strong>
          </span>
        </p>
      </section>
    </>
  );
}

/** Its container needs a size. */
export function WallOutcome({ game, result }: { game: ShownGame; result: ResultData }) {
  const picture = resultPicture(game, result);
  const { names, side } = wallDrawn(game, result);
  const length = Math.max(...names.map(({ name }) => name.length));
  return (
    <div
      className={classes.outcome}
      data-pictured={picture !== null || undefined}
      data-several={names.length > 1 || undefined}
      style={{ '--length': length, '--side': side.length } as CSSProperties}
    >
      {picture && <OutcomePicture {...picture} size={480} className={classes.picture} />}
      <div className={classes.names}>
        {names.map(({ name, group }) => (
          <strong key={`${group} ${name}`} className={classes.name}>
            {group !== '' && <small>{group}</small>}
            {name}
          </strong>
        ))}
        {side !== '' && <span className={classes.side}>{side}</span>}
      </div>
    </div>
  );
}

interface WallDrawn {
  names: readonly { name: string; group: string }[];
  /** Secondary name, or the color on a wheel. */
  side: string;
}

function wallDrawn(panel: ShownGame, result: ResultData): WallDrawn {
  const several = winnersOf(panel, result);
  if (several) {
    const names = several.layout.sections.flatMap(({ slot, short = '' }) => {
      const name = several.winners[slot];
      return name === undefined ? [] : [{ name, group: short }];
    });
    return { names, side: '' };
  }
  const drawn = drawnOutcome(panel, result);
  const { drawno, label, color } = drawn ?? { drawno: '', label: '', color: null };
  // Except for cards, the name is beside the number.
  if ('suit' in result) return { names: [{ name: label, group: '' }], side: result.color };
  return { names: [{ name: drawno, group: '' }], side: label === drawno ? (color ?? '') : label };
}
