import { readPaper } from '@drawhouse/contract/tickets/paper-address';
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { errorMessage } from '../../lib/api.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { CheckSteps } from './CheckSteps.tsx';
import { CheckYourself } from './CheckYourself.tsx';
import { DrawBeacons } from './DrawBeacons.tsx';
import { DrawIdForm } from './DrawIdForm.tsx';
import { isDrawId } from './drawId.ts';
import { DrawFacts, DrawVerdict } from './DrawVerdict.tsx';
import { findOut } from './drawFinding.ts';
import { FairFrame } from './FairFrame.tsx';
import { formatTime } from './fairFormat.ts';
import { fairTexts } from './fairTexts.ts';
import { OddsAndPays } from './OddsAndPays.tsx';
import { useFairDraw } from './useFairDraw.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

const BeaconVerdict = lazy(async () => ({ default: (await import('./BeaconVerdict.tsx')).BeaconVerdict }));
const PaperCheck = lazy(async () => ({ default: (await import('./PaperCheck.tsx')).PaperCheck }));
const TicketCheck = lazy(async () => ({ default: (await import('./TicketCheck.tsx')).TicketCheck }));

/** The page of one draw: what was committed to, what came out, and the check of it, made in this browser. */
export function FairDrawPage({ drawId }: { drawId: string }) {
  return isDrawId(drawId) ? <KnownDraw drawId={drawId} /> : <NoDraw drawId={drawId} why={fairTexts.idWrong} />;
}

function KnownDraw({ drawId }: { drawId: string }) {
  const { draw, error, reload } = useFairDraw(drawId);
  if (draw) return <Draw draw={draw} />;
  if (error instanceof ApiError && error.status === 404) return <NoDraw drawId={drawId} why={errorMessage(error)} />;
  return (
    <FairFrame title="Draw">
      {error ? (
        <div role="alert" className={classes.failed}>
          <p>
            <FailureText said={errorMessage(error)} />
          </p>
          <Button variant="default" onClick={reload}>
            Try again
          </Button>
        </div>
      ) : (
        <div className={classes.waiting} aria-busy aria-label="Loading the draw" />
      )}
    </FairFrame>
  );
}

function NoDraw({ drawId, why }: { drawId: string; why: string }) {
  return (
    <FairFrame title="Draw not found">
      <DrawIdForm initial={drawId} refusal={why} />
    </FairFrame>
  );
}

function Draw({ draw }: { draw: FairDraw }) {
  const finding = findOut(draw);
  const paper = readPaper(window.location.hash);
  return (
    <FairFrame title={`Draw ${draw.number}`} of={draw.gameName}>
      {draw.undone && (
        <p role="note" className={classes.undone}>
          This draw was <strong>undone by a restore</strong> on {formatTime(draw.undone.at)}: the house went back to a
          backup of {formatTime(draw.undone.backupOf)}. The draw is shown as it was before. Neither it nor its tickets
          count any more.
        </p>
      )}
      {draw.beacons.length > 0 ? (
        <Suspense fallback={<div className={classes.waiting} aria-busy aria-label="Checking the beacons" />}>
          <BeaconVerdict draw={draw} finding={finding} />
        </Suspense>
      ) : (
        <DrawVerdict draw={draw} finding={finding} />
      )}
      {paper && (
        <Suspense fallback={null}>
          {/* Once betting has closed there is more to know. */}
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
