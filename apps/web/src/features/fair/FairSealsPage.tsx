import type { SealGrade, fairSeals } from '@drawhouse/contract/seals/seals';
import { shortSeal } from '@drawhouse/tlog/short-seal';
import { useQuery } from '@tanstack/react-query';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { sealGradeTexts } from '../../lib/format/sealGradeTexts.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { formatPlainCount, formatTime } from './fairFormat.ts';
import { FairFrame } from './FairFrame.tsx';
import { fairTexts, sharedText } from './fairTexts.ts';
import classes from './fair.module.css';
import { richText } from '@drawhouse/session/rich-text';

/** Type-checked against the contract without bundling its schema. */
const FAIR_SEALS = { method: 'GET', path: 'fair/seals' } satisfies Pick<
  typeof fairSeals,
  'method' | 'path'
> as typeof fairSeals;
const POLL_EVERY_MS = 30_000;

export function FairSealsPage() {
  const { data, error } = useQuery({
    ...callQuery(['seals'], FAIR_SEALS, {}, { background: true }),
    refetchInterval: POLL_EVERY_MS,
  });
  return (
    <FairFrame title={fairTexts.sealsTitle}>
      <p className={classes.lead}>{fairTexts.everythingWrittenThisHouses}</p>
      {error && (
        <p role="alert">
          <FailureText message={sharedText(errorMessage(error))} />
        </p>
      )}
      {data && <Grade seals={data.seals} />}
      <Explained />
    </FairFrame>
  );
}

function Grade({ seals }: { seals: SealGrade | null }) {
  const { grade, sentence } = sealGradeTexts(seals, formatTime);
  return (
    <section>
      <h2>{sharedText(grade)}</h2>
      <p>{sharedText(sentence)}</p>
      {seals && (
        <dl className={classes.compared}>
          <dt>{fairTexts.log}</dt>
          <dd>{seals.origin}</dd>
          <dt>{fairTexts.recordsSealed}</dt>
          <dd>{formatPlainCount(seals.size)}</dd>
          <dt>{fairTexts.lastSealed}</dt>
          <dd>{formatTime(seals.sealedAt)}</dd>
          <dt>{fairTexts.fingerprintAllRecords}</dt>
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
      <dt>{fairTexts.witness(name)}</dt>
      <dd>
        {since === null || last === null
          ? fairTexts.hasNotConfirmedAnything
          : fairTexts.sinceLastOn(formatTime(since), formatTime(last))}
        {isSilent && fairTexts.silentNow}
      </dd>
    </>
  );
}

function Explained() {
  return (
    <section>
      <h2>{fairTexts.whatItProves}</h2>
      <ol className={classes.story}>
        <li>
          <h3>{fairTexts.seal}</h3>
          <p>{fairTexts.sealStatesHowMany}</p>
        </li>
        <li>
          <h3>{fairTexts.witness2}</h3>
          <p>{fairTexts.someoneElseKeepsNewest}</p>
        </li>
        <li>
          <h3>{fairTexts.yourReceipt}</h3>
          <p>{fairTexts.ticketsReceiptAndPrinted}</p>
          <p>
            {richText(fairTexts.forYourOwnPrograms, {
              link: <a href="/seals/checkpoint">{fairTexts.thisCheckpoint}</a>,
              link2: <a href="/seals/key">{fairTexts.key}</a>,
            })}
          </p>
        </li>
      </ol>
    </section>
  );
}
