import { drawName } from '@drawhouse/rules/time/draw-name';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { ActionIcon } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatPoints } from '../../../lib/format/format.ts';
import { fairPath } from '../../../lib/paths.ts';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { resultName } from '../liveFormat.ts';
import { resultPicture, SourceSign, sourceWord } from '../LiveMarks.tsx';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import { momentText, RESULT_SHOWN_MS } from './resultNews.ts';
import { useResultSums } from './ResultSums.tsx';
import classes from './ResultMoment.module.css';

interface ResultMomentProps {
  panel: Panel;
  result: DrawResult;
  onDone: () => void;
}

/**
 * Takes no focus and covers no controls. Stays longer while hovered, focused or hidden. Screen readers announce it
 * once, with the sums.
 */
export function ResultMoment({ panel, result, onDone }: ResultMomentProps) {
  const { sums, error } = useResultSums(panel, result.drawId);
  const [shown, setShown] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!shown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(() => {
        if (document.hidden || shown.matches(':hover, :focus-within')) wait();
        else onDone();
      }, RESULT_SHOWN_MS);
    };
    wait();
    return () => clearTimeout(timer);
  }, [shown, onDone]);

  const picture = resultPicture(panel, result.result);
  const isKnown = sums !== undefined || error !== null;
  return (
    <>
      <output className="unseen">{isKnown && momentText(result, sums)}</output>
      <section ref={setShown} className={classes.moment} aria-label={resultTexts.ofDraw(drawName(result.number))}>
        {picture && <OutcomePicture {...picture} size={36} className={classes.picture} />}
        <div className={classes.facts}>
          <span className={classes.drawn}>
            <strong>{resultName(panel, result.result, result.drawno)}</strong> {result.booster} X
          </span>
          <span className={classes.from}>
            <SourceSign source={result.source} outside={result.outside} /> {sourceWord(result)}
            <span className={classes.number}>{liveTexts.inDraw(drawName(result.number))}</span>
          </span>
          <span className={classes.sums}>
            <span>
              {resultTexts.paid} <strong>{sums ? formatPoints(sums.paid) : '…'}</strong>
            </span>
            <span>
              {resultTexts.left} <strong>{sums ? formatPoints(sums.left) : '…'}</strong>
            </span>
          </span>
        </div>
        <ActionIcon
          component="a"
          href={fairPath(result.drawId)}
          target="_blank"
          rel="noreferrer"
          variant="transparent"
          className={classes.action}
          aria-label={resultTexts.check}
          title={resultTexts.check}
        >
          <IconExternalLink size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="transparent"
          className={classes.action}
          aria-label={resultTexts.dismiss}
          title={resultTexts.dismiss}
          onClick={onDone}
        >
          <span aria-hidden>✕</span>
        </ActionIcon>
      </section>
    </>
  );
}
