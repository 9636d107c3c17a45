import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { fairPaper } from '@drawhouse/contract/tickets/tickets';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { formatPlainCount } from '../fairFormat.ts';
import { Mark } from '../FairFrame.tsx';
import { paperFinding } from '../draw/drawFinding.ts';
import type { FairDraw } from '../draw/fairDraw.ts';
import classes from '../fair.module.css';
import { fairTexts } from '../fairTexts.ts';

const FAIR_PAPER = { method: 'GET', path: 'fair/draw/:drawId/paper/:ticketId/:digest' } satisfies Pick<
  typeof fairPaper,
  'method' | 'path'
> as typeof fairPaper;

const TEXTS = {
  in: {
    title: fairTexts.thisTicketWasIn,
    text: fairTexts.digestOnPaperIs,
  },
  wrong: {
    title: fairTexts.thisTicketDoesNot,
    text: fairTexts.pathGivenByHouse,
  },
  undone: {
    title: fairTexts.thisTicketWasPlaced,
    text: fairTexts.bettingOnItsDraw,
  },
  open: {
    title: fairTexts.thisTicketIsPlaced,
    text: fairTexts.bettingOnItsDraw2,
  },
} as const;

export function PaperCheck({ draw, ticketId, digest }: { draw: FairDraw; ticketId: string; digest: string }) {
  const { drawId } = draw;
  const [answer, setAnswer] = useState<RouteAnswer<typeof fairPaper> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ask = useRef(() => {});
  useEffect(() => {
    const stop = new AbortController();
    ask.current = () => {
      call(FAIR_PAPER, { params: { drawId, ticketId, digest } }, { signal: stop.signal }).then(
        (found) => {
          setAnswer(found);
          setError(null);
        },
        (reason: unknown) => {
          if (!stop.signal.aborted) setError(reason);
        },
      );
    };
    ask.current();
    return () => stop.abort();
  }, [drawId, ticketId, digest]);
  return (
    <section aria-labelledby="paper">
      <h2 id="paper">{fairTexts.ticketOnYourPaper}</h2>
      {error !== null && (
        <div role="alert" className={classes.failed}>
          <p>
            <FailureText message={errorMessage(error)} />
          </p>
          <Button variant="default" onClick={() => ask.current()}>
            {fairTexts.tryAgain}
          </Button>
        </div>
      )}
      {error === null && answer && <Finding draw={draw} digest={digest} answer={answer} />}
    </section>
  );
}

function Finding({ draw, digest, answer }: { draw: FairDraw; digest: string; answer: RouteAnswer<typeof fairPaper> }) {
  const finding = paperFinding(digest, answer, draw);
  const { title, text } = TEXTS[finding === 'open' && answer.undoneAt !== null ? 'undone' : finding];
  return (
    <div
      className={classes.verdict}
      data-kind="generated"
      data-outcome={finding === 'wrong' ? 'wrong' : finding === 'in' ? 'right' : 'none'}
    >
      <h3>
        {finding !== 'open' && <Mark is={finding === 'wrong' ? 'wrong' : 'right'} />}
        {title}
      </h3>
      <p>{text}</p>
      <dl className={classes.compared}>
        <dt>{fairTexts.ticket}</dt>
        <dd>
          {answer.ticketId}
          {finding === 'in' && `, number ${formatPlainCount(answer.index! + 1)} of ${formatPlainCount(answer.size!)}`}
        </dd>
        <dt>{fairTexts.receiptDigest}</dt>
        <dd>
          <code className={classes.long}>{digest}</code>
        </dd>
      </dl>
    </div>
  );
}
