import type { SealGrade, fairSeals } from '@drawhouse/contract/seals/seals';
import { gradeWords } from '@drawhouse/watch/grade-words';
import { shortSeal } from '@drawhouse/watch/short-seal';
import { WATCH_HONESTLY, watchText } from '@drawhouse/watch/watch-words';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { call, errorMessage } from '../../lib/api.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { sealWatch } from '../../lib/sealWatch.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { FairFrame } from './FairFrame.tsx';
import { SealReceipt } from './SealReceipt.tsx';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

/** The call of the contract, by which the compiler holds it; its schema would come with the page. */
const FAIR_SEALS = { method: 'GET', path: 'fair/seals' } satisfies Pick<
  typeof fairSeals,
  'method' | 'path'
> as typeof fairSeals;
const LOOK_EVERY_MS = 30_000;
const WRITTEN = { count: formatCount, time: (ms: number) => formatDateTime(new Date(ms).toISOString()) };

/** How the books are sealed and who vouches for it, for anybody; and what this browser has seen of it. */
export function FairSealsPage() {
  const { data, error } = useQuery({
    queryKey: ['seals'],
    queryFn: ({ signal }) => call(FAIR_SEALS, {}, { signal, background: true }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const watched = useSyncExternalStore(sealWatch.subscribe, sealWatch.known);
  return (
    <FairFrame title={fairTexts.sealsTitle}>
      <p className={classes.lead}>
        Whatever is written into the books of this house, each ticket, each result and each movement of credit, is
        sealed within seconds into a log that only ever grows, outside the database.
      </p>
      {error && (
        <p role="alert">
          <FailureText said={errorMessage(error)} />
        </p>
      )}
      {data && <Grade seals={data.seals} />}
      <section>
        <h2>What this browser has seen</h2>
        <p>{watchText(watched, WRITTEN)}</p>
        <p>
          It keeps the newest checkpoint that it saw, and every few minutes asks the server to prove that its log goes
          on from there. What does not fit is shown above this page and all that you see signed in, with the evidence.
        </p>
        <p>{WATCH_HONESTLY}</p>
      </section>
      <SealReceipt />
      <Explained />
    </FairFrame>
  );
}

function Grade({ seals }: { seals: SealGrade | null }) {
  const { grade, sentence } = gradeWords(seals, formatDateTime);
  return (
    <section>
      <h2>{grade}</h2>
      <p>{sentence}</p>
      {seals && (
        <dl className={classes.compared}>
          <dt>Log</dt>
          <dd>{seals.origin}</dd>
          <dt>Records sealed</dt>
          <dd>{formatCount(seals.size)}</dd>
          <dt>Sealed last</dt>
          <dd>{formatDateTime(seals.sealedAt)}</dd>
          <dt>Its fingerprint</dt>
          <dd>
            <code className={classes.long}>{shortSeal(seals.checkpoint)?.root}</code>
          </dd>
          {seals.witnesses.map(({ name, since, last, isSilent }) => (
            <Witness key={name} name={name} since={since} last={last} isSilent={isSilent} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Witness({ name, since, last, isSilent }: Omit<SealGrade['witnesses'][number], 'size'>) {
  return (
    <>
      <dt>Witness {name}</dt>
      <dd>
        {since === null || last === null
          ? 'has not cosigned yet'
          : `since ${formatDateTime(since)}, last on ${formatDateTime(last)}`}
        {isSilent && ', silent now'}
      </dd>
    </>
  );
}

function Explained() {
  return (
    <section>
      <h2>What it proves</h2>
      <ol className={classes.story}>
        <li>
          <h3>A checkpoint</h3>
          <p>
            The log is a tree of fingerprints. A checkpoint says how many records it has and the fingerprint above all
            of them, signed by a key that is not in the database. No record can be changed, taken out or put in before
            it without another fingerprint.
          </p>
        </li>
        <li>
          <h3>A witness</h3>
          <p>
            Another party on another machine keeps the newest checkpoint, asks for the proof that the next one goes on
            from it, and cosigns only then. Whoever wanted to rewrite the books would need it too. Books that are sealed
            by the server itself can be rewritten by whoever has its key and its files as well.
          </p>
        </li>
        <li>
          <h3>Your receipt</h3>
          <p>
            A ticket’s receipt and a printed ticket name the log, its number of records and its fingerprint. The log at
            that number of records has to have that fingerprint for ever: the form above checks it, and anybody can
            compute it from the <a href="/seals/checkpoint">checkpoint</a> and the tiles of the log, which are public in
            the format of C2SP (tlog-tiles), with the <a href="/seals/key">key</a>.
          </p>
        </li>
      </ol>
    </section>
  );
}
