import type { Panel } from '@drawhouse/contract/live/live';
import { Anchor, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format/format.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { formatMoment } from '../liveFormat.ts';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import classes from './ResultSums.module.css';
import { liveResult } from '@drawhouse/contract/live/live-results';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { richText } from '@drawhouse/session/rich-text';

interface ResultSumsProps {
  panel: Panel;
  drawId: string;
}

export function ResultSums({ panel, drawId }: ResultSumsProps) {
  const { sums, error, retry } = useResultSums(panel, drawId);
  if (error !== null && !sums) {
    return (
      <p className={classes.error} role="alert">
        <FailureText message={error} />{' '}
        <Anchor component="button" type="button" inherit onClick={retry}>
          {resultTexts.tryAgain}
        </Anchor>
      </p>
    );
  }
  return (
    <>
      {sums?.declared && (
        <span>
          {richText(liveTexts.savedByAt, {
            by: sums.declared.by,
            at: formatMoment(sums.declared.at, panel.serverTime),
            confirmedBy: sums.declared.confirmedBy !== null && <>{liveTexts.confirmedBy(sums.declared.confirmedBy)}</>,
            sameAddress: sums.declared.sameAddress && <>{liveTexts.fromSameAddress}</>,
          })}
        </span>
      )}
      <dl className={classes.sums} aria-busy={sums === undefined}>
        <Figure name={resultTexts.staked}>{sums && <Points value={sums.staked} />}</Figure>
        <Figure name={resultTexts.paid}>{sums && <Points value={sums.paid} />}</Figure>
        <Figure name={resultTexts.left}>{sums && <Points value={sums.left} />}</Figure>
        <Figure name={resultTexts.players}>{sums && formatCount(sums.players)}</Figure>
        <Figure name={resultTexts.tickets}>{sums && formatCount(sums.tickets)}</Figure>
      </dl>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? <Skeleton height={14} width={64} ml="auto" />}</dd>
    </div>
  );
}

interface ResultSumsState {
  sums: RouteAnswer<typeof liveResult> | undefined;
  error: string | null;
  retry: () => void;
}

/** Totals of a settled draw never change. */
export function useResultSums({ gameId, adminId }: Pick<Panel, 'gameId' | 'adminId'>, drawId: string): ResultSumsState {
  const { data, error, refetch } = useQuery({
    queryKey: ['live', 'result', drawId],
    queryFn: ({ signal }) => call(liveResult, { query: { gameId, adminId, drawId } }, { signal, background: true }),
    staleTime: Infinity,
  });
  return { sums: data, error: error && errorMessage(error), retry: () => void refetch() };
}
