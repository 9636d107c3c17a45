import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { fairTicket } from '@drawhouse/contract/tickets/tickets';
import { useEffect, useMemo, useRef } from 'react';
import { call } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { Notice } from '../../ui/Notice.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { proveBet } from './proveBet.ts';
import type { BetProof, OwnBet, StepState } from './proveBet.ts';
import styles from './BetProofCard.module.css';

interface Published {
  readonly receipt: RouteAnswer<typeof fairTicket>;
  readonly draw: RouteAnswer<typeof fairDraw>;
}

const SIGN: Readonly<Record<StepState, { d: string; words: string }>> = {
  right: { d: 'M7 12.5l3.5 3.5L17 9', words: 'Right' },
  wrong: { d: 'M8.5 8.5l7 7M15.5 8.5l-7 7', words: 'Wrong' },
  later: { d: 'M12 7v5l3.5 2', words: 'Pending' },
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
      <h2 id="proof">Ticket proof</h2>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {proof ? (
        <Proof proof={proof} />
      ) : (
        error === undefined && <Skeleton heights={[64, 120]} label="Loading the proof" />
      )}
      {data && (
        <p>
          {data.draw.source === null
            ? 'The result is not known yet. Once it is, you can check it on the draw page. '
            : data.draw.source === 'declared'
              ? 'The result was declared by the operator, not generated from a seed. '
              : 'The result was generated from a seed fixed before betting began. Anyone can check it. '}
          {/* Separate app, so a full page load. */}
          <a href={`/fair/${drawId}`}>Check the whole draw</a>
        </p>
      )}
    </section>
  );
}

function Proof({ proof: { state, steps, examination } }: { proof: BetProof }) {
  return (
    <>
      {state === 'right' && <Notice tone="good" title="This ticket is in the draw, exactly as shown here." />}
      {state === 'later' && <Notice title="No problems so far. Pending steps are listed below." />}
      {state === 'wrong' && (
        <Notice tone="bad" isSaid title="This ticket failed the check.">
          Keep what you have of it, printed or noted, and show it to the operator.
        </Notice>
      )}
      <ol className={styles.steps}>
        {steps.map(({ state: each, title, text }) => (
          <li key={title} data-state={each}>
            <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <circle cx="12" cy="12" r="10" />
              <path d={SIGN[each].d} />
            </svg>
            <div>
              <h3>
                <span className="unseen">{SIGN[each].words}: </span>
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
      <summary>Numbers of each step</summary>
      <p>The SHA-256 of this text is the digest:</p>
      <code>{text}</code>
      <p>Computed here:</p>
      <code>{digest.computed}</code>
      {steps && (
        <>
          <p>The SHA-256 of a byte 0 and the digest is a leaf of the tree:</p>
          <code>{leaf}</code>
          {steps.length > 0 && <p>Each step takes the SHA-256 of a byte 1, the left number and the right one:</p>}
          <ol>
            {steps.map(({ beside, isLeft, above }) => (
              <li key={above}>
                with <code>{beside}</code> on the {isLeft ? 'left' : 'right'}: <code>{above}</code>
              </li>
            ))}
          </ol>
          <p>The last hash must equal the root of the draw:</p>
          <code>{root ?? '–'}</code>
        </>
      )}
    </details>
  );
}
