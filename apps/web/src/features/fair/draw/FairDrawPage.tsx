import { readPaper } from '@drawhouse/contract/tickets/paper-address';
import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call, errorMessage } from '../../../lib/server/api.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { CheckSteps } from './CheckSteps.tsx';
import { DrawIdForm } from '../FairStartPage.tsx';
import { type FairDraw, isDrawId, isFinal } from './fairDraw.ts';
import { Copyable, DrawFacts, DrawVerdict } from './DrawVerdict.tsx';
import { checkDraw, type DrawFinding } from './drawFinding.ts';
import { FairFrame } from '../FairFrame.tsx';
import { formatChance, formatPlainPoints, formatTime } from '../fairFormat.ts';
import { fairTexts, sharedText } from '../fairTexts.ts';
import classes from '../fair.module.css';
import { beaconName, QUICKNET, roundTimeMs } from '@drawhouse/rules/fair/beacon-rounds';
import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/fair/booster';
import { richText } from '@drawhouse/session/rich-text';
import type { fairDraw } from '@drawhouse/contract/draws/draws';

const BeaconVerdict = lazy(async () => ({ default: (await import('./BeaconVerdict.tsx')).BeaconVerdict }));
const PaperCheck = lazy(async () => ({ default: (await import('../ticket/PaperCheck.tsx')).PaperCheck }));
const TicketCheck = lazy(async () => ({ default: (await import('../ticket/TicketCheck.tsx')).TicketCheck }));

export function FairDrawPage({ drawId }: { drawId: string }) {
  return isDrawId(drawId) ? <FoundDraw drawId={drawId} /> : <NoDraw drawId={drawId} why={fairTexts.idWrong} />;
}

function FoundDraw({ drawId }: { drawId: string }) {
  const { draw, error, reload } = useFairDraw(drawId);
  if (draw) return <Draw draw={draw} />;
  if (error instanceof ApiError && error.status === 404)
    return <NoDraw drawId={drawId} why={sharedText(errorMessage(error))} />;
  return (
    <FairFrame title={fairTexts.draw2}>
      {error ? (
        <div role="alert" className={classes.failed}>
          <p>
            <FailureText message={sharedText(errorMessage(error))} />
          </p>
          <Button variant="default" onClick={reload}>
            {fairTexts.tryAgain}
          </Button>
        </div>
      ) : (
        <div className={classes.waiting} aria-busy aria-label={fairTexts.loadingDraw} />
      )}
    </FairFrame>
  );
}

function NoDraw({ drawId, why }: { drawId: string; why: string }) {
  return (
    <FairFrame title={fairTexts.drawNotFound}>
      <DrawIdForm initial={drawId} refusal={why} />
    </FairFrame>
  );
}

function Draw({ draw }: { draw: FairDraw }) {
  const finding = checkDraw(draw);
  const paper = readPaper(window.location.hash);
  return (
    <FairFrame title={fairTexts.drawOf(formatTime(draw.drawsAt))} of={draw.gameName}>
      {draw.undone && (
        <p role="note" className={classes.undone}>
          {richText(fairTexts.thisDrawWasOn, {
            strong: <strong>{fairTexts.undoneByRestore}</strong>,
            at: formatTime(draw.undone.at),
            backupOf: formatTime(draw.undone.backupOf),
          })}
        </p>
      )}
      {draw.beacons.length > 0 ? (
        <Suspense fallback={<div className={classes.waiting} aria-busy aria-label={fairTexts.checkingBeacons} />}>
          <BeaconVerdict draw={draw} finding={finding} />
        </Suspense>
      ) : (
        <DrawVerdict draw={draw} finding={finding} />
      )}
      {paper && (
        <Suspense fallback={null}>
          <PaperCheck key={draw.ticketRoot} draw={draw} {...paper} />
        </Suspense>
      )}
      <DrawFacts draw={draw} finding={finding} />
      <DrawBeacons draw={draw} />
      {finding.examination && <CheckSteps draw={draw} finding={finding} examination={finding.examination} />}
      <Suspense fallback={null}>
        <TicketCheck draw={draw} />
      </Suspense>
      <OddsAndPays draw={draw} rules={finding.rules} />
      <CheckYourself drawId={draw.drawId} />
    </FairFrame>
  );
}

function CheckYourself({ drawId }: { drawId: string }) {
  const { origin } = window.location;
  return (
    <section aria-labelledby="yourself">
      <h2 id="yourself">{fairTexts.yourself}</h2>
      <p>
        {richText(fairTexts.allDataIsIn, { link: <a href={`/api/fair/draw/${drawId}`}>{fairTexts.jsonThisDraw}</a> })}
      </p>
      <p className={classes.command}>
        <Copyable value={fairTexts.npmRunCheckDraw(origin, drawId)} name={fairTexts.copies.command} />
      </p>
      <p>{fairTexts.docsFairnessMdDescribes}</p>
    </section>
  );
}

function DrawBeacons({ draw: { beacons, wouldHaveBeen } }: { draw: FairDraw }) {
  if (beacons.length === 0) return null;
  const { title, about, unknown, round, key, value, notYet, wouldHave } = fairTexts.beacons;
  return (
    <section aria-labelledby="beacons">
      <h2 id="beacons">{title}</h2>
      <p>{about}</p>
      {wouldHaveBeen && (
        <p>
          {wouldHave} <strong>{sharedText(wouldHaveBeen.resultLabel)}</strong>
          {fairTexts.booster(wouldHaveBeen.booster)}
        </p>
      )}
      {beacons.map((beacon) => (
        <div key={beacon.publicKey}>
          <h3>{beacon.publicKey === QUICKNET.publicKey ? 'drand quicknet' : beaconName(beacon)}</h3>
          {beacon.publicKey !== QUICKNET.publicKey && <p>{unknown}</p>}
          <dl className={classes.compared}>
            <dt>{round}</dt>
            <dd>
              {beacon.round}, {formatTime(new Date(roundTimeMs(beacon, beacon.round)).toISOString())}
            </dd>
            <dt>{key}</dt>
            <dd>
              <code className={classes.long}>{beacon.publicKey}</code>
            </dd>
            <dt>{value}</dt>
            <dd>{beacon.signature ? <code className={classes.long}>{beacon.signature}</code> : notYet}</dd>
          </dl>
        </div>
      ))}
    </section>
  );
}

const RARE = 0.0001;

function OddsAndPays({ draw, rules }: { draw: FairDraw; rules: DrawFinding['rules'] }) {
  const boosters = draw.weights.flatMap((weight, index) =>
    weight > 0 ? [{ booster: index + 1, chance: weight / BOOSTER_WEIGHT_SUM }] : [],
  );
  const rare = boosters.filter(({ chance }) => chance < RARE);
  return (
    <section aria-labelledby="odds">
      <h2 id="odds">{fairTexts.odds}</h2>
      <p>{fairTexts.theyWereFixedWhen(formatPlainPoints(draw.unitPrice))}</p>
      {rules && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{fairTexts.bet}</th>
              <th scope="col">{fairTexts.chance}</th>
              <th scope="col">{fairTexts.unitsPaidPerUnit}</th>
            </tr>
          </thead>
          <tbody>
            {rules.returns.map(({ bet, probability, pay }) => (
              <tr key={bet}>
                <th scope="row">{sharedText(rules.heads.find(({ name }) => name === bet)?.label ?? bet)}</th>
                <td>{formatChance(probability)}</td>
                <td>{formatPlainPoints(pay)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{fairTexts.boosterMultipliesEveryWin}</p>
      <ul className={classes.boosters}>
        {boosters
          .filter(({ chance }) => chance >= RARE)
          .map(({ booster, chance }) => (
            <li key={booster}>
              <strong>{booster} X</strong> {formatChance(chance)}
            </li>
          ))}
        {rare.length > 0 && (
          <li>
            <strong>{rare.map(({ booster }) => booster).join(', ')} X</strong>{' '}
            {fairTexts.lessThanEach(formatChance(RARE))}
          </li>
        )}
      </ul>
    </section>
  );
}

const FAIR_DRAW = { method: 'GET', path: 'fair/draw/:drawId' } satisfies Pick<
  typeof fairDraw,
  'method' | 'path'
> as typeof fairDraw;

interface FairDrawLoad {
  readonly draw: FairDraw | null;
  readonly error: unknown;
  readonly reload: () => void;
}

const LEAST_WAIT_MS = 3_000;
const MOST_WAIT_MS = 60_000;

function useFairDraw(drawId: string): FairDrawLoad {
  const [answer, setAnswer] = useState<Omit<FairDrawLoad, 'reload'>>({ draw: null, error: null });
  const ask = useRef(() => {});

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    ask.current = () => {
      clearTimeout(timer);
      call(FAIR_DRAW, { params: { drawId } }, { signal }).then(
        (draw) => {
          setAnswer({ draw, error: null });
          if (!isFinal(draw)) timer = setTimeout(ask.current, waitFor(draw));
        },
        (error: unknown) => {
          if (signal.aborted) return;
          setAnswer(({ draw }) => ({ draw, error }));
          if (!(error instanceof ApiError && error.status === 404)) timer = setTimeout(ask.current, MOST_WAIT_MS);
        },
      );
    };
    ask.current();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [drawId]);

  return { ...answer, reload: () => ask.current() };
}

function waitFor(draw: FairDraw): number {
  return Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, Date.parse(draw.drawsAt) - Date.now()));
}
