import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { fairTicket } from '@drawhouse/contract/tickets/tickets';
import { useEffect, useMemo, useRef } from 'react';
import { call } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { Notice } from '../../ui/Notice.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { proveBet, type BetProof, type OwnBet, type StepState } from './proveBet.ts';
import { richText } from '@drawhouse/session/rich-text';
import { ticketTexts } from './ticketTexts.ts';
import styles from './BetProofCard.module.css';

interface Published {
  readonly receipt: RouteAnswer<typeof fairTicket>;
  readonly draw: RouteAnswer<typeof fairDraw>;
}

const texts = ticketTexts.proof;

const SIGN_PATHS: Readonly<Record<StepState, string>> = {
  right: 'M7 12.5l3.5 3.5L17 9',
  wrong: 'M8.5 8.5l7 7M15.5 8.5l-7 7',
  later: 'M12 7v5l3.5 2',
};

export function BetProofCard({ bet }: { bet: OwnBet }) {
  const { _id: ticketId, drawId, status } = bet;
  const { data, error, reload } = useQuery(`proof/${drawId}/${ticketId}`, async (signal): Promise<Published> => {
    const options = { signal, background: true };
    const [receipt, draw] = await Promise.all([
      call(accountRoutes.fairTicket, { params: { ticketId } }, options),
      call(accountRoutes.fairDraw, { params: { drawId } }, options),
    ]);
    return { receipt, draw };
  });
  const proof = useMemo(() => data && proveBet(bet, data.receipt, data.draw), [bet, data]);
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    reload();
  }, [status, reload]);
  return (
    <section className={styles.proof} aria-labelledby="proof">
      <h2 id="proof">{texts.title}</h2>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {proof ? <Proof proof={proof} /> : error === undefined && <Skeleton heights={[64, 120]} label={texts.loading} />}
      {data && (
        <p>
          {/* Another app: needs a full page load. */}
          {richText(
            texts[data.draw.outside !== null && data.draw.source ? 'outside' : (data.draw.source ?? 'noResult')],
            { link: <a href={`/fair/${drawId}`}>{texts.checkDraw}</a> },
          )}
        </p>
      )}
    </section>
  );
}

function Proof({ proof: { state, steps, examination } }: { proof: BetProof }) {
  return (
    <>
      {state === 'right' && <Notice tone="good" title={texts.right} />}
      {state === 'later' && <Notice title={texts.pending} />}
      {state === 'wrong' && (
        <Notice tone="bad" isSaid title={texts.wrong}>
          {texts.wrongHelp}
        </Notice>
      )}
      <ol className={styles.steps}>
        {steps.map(({ state: each, title, text }) => (
          <li key={title} data-state={each}>
            <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <circle cx="12" cy="12" r="10" />
              <path d={SIGN_PATHS[each]} />
            </svg>
            <div>
              <h3>
                <span className="unseen">{texts.states[each]}: </span>
                {title}
              </h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
      {examination && <Numbers examination={examination} />}
    </>
  );
}

function Numbers({
  examination: { text, digest, leaf, steps, root },
}: {
  examination: NonNullable<BetProof['examination']>;
}) {
  return (
    <details className={styles.numbers}>
      <summary>{texts.numbers}</summary>
      <p>{texts.textToDigest}</p>
      <code>{text}</code>
      <p>{texts.computed}</p>
      <code>{digest.computed}</code>
      {steps && (
        <>
          <p>{texts.leaf}</p>
          <code>{leaf}</code>
          {steps.length > 0 && <p>{texts.steps}</p>}
          <ol>
            {steps.map(({ sibling, isLeft, parent }) => (
              <li key={parent}>
                {richText(texts.step(isLeft), { sibling: <code>{sibling}</code>, parent: <code>{parent}</code> })}
              </li>
            ))}
          </ol>
          <p>{texts.root}</p>
          <code>{root ?? '–'}</code>
        </>
      )}
    </details>
  );
}
