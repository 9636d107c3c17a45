import type { SealGrade, fairSeals } from '@drawhouse/contract/seals/seals';
import { shortSeal } from '@drawhouse/tlog/short-seal';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/server/api.ts';
import { formatCount, formatDateTime } from '../../lib/format/format.ts';
import { sealGradeTexts } from '../../lib/format/sealGradeTexts.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { FairFrame } from './FairFrame.tsx';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

/** Type-checked against the contract without bundling its schema. */
const FAIR_SEALS = { method: 'GET', path: 'fair/seals' } satisfies Pick<
  typeof fairSeals,
  'method' | 'path'
> as typeof fairSeals;
const POLL_EVERY_MS = 30_000;

export function FairSealsPage() {
  const { data, error } = useQuery({
    queryKey: ['seals'],
    queryFn: ({ signal }) => call(FAIR_SEALS, {}, { signal, background: true }),
    refetchInterval: POLL_EVERY_MS,
  });
  return (
    <FairFrame title={fairTexts.sealsTitle}>
      <p className={classes.lead}>
        Everything written to this house’s books, each ticket, each result and each movement of credit, is sealed within
        seconds: it becomes a record in a log, an append-only list outside the database. One fingerprint is computed
        from all records together. Changing an old record changes the fingerprint, so the change can be detected.
      </p>
      {error && (
        <p role="alert">
          <FailureText said={errorMessage(error)} />
        </p>
      )}
      {data && <Grade seals={data.seals} />}
      <Explained />
    </FairFrame>
  );
}

function Grade({ seals }: { seals: SealGrade | null }) {
  const { grade, sentence } = sealGradeTexts(seals, formatDateTime);
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
          <dt>Last sealed</dt>
          <dd>{formatDateTime(seals.sealedAt)}</dd>
          <dt>Fingerprint of all records</dt>
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
          ? 'has not confirmed anything yet'
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
          <h3>A seal</h3>
          <p>
            A seal states how many records the log has and what their fingerprint is. The server signs it with a key
            that is not in the database. If a record is later changed, removed or inserted, the fingerprint differs, and
            anyone who kept the seal can prove it.
          </p>
        </li>
        <li>
          <h3>A witness</h3>
          <p>
            Someone else keeps the newest seal on another machine. For each new one the witness requires proof that all
            earlier records are still there, unchanged, and only then co-signs it. No one can rewrite the books
            unnoticed unless the witness takes part. Without a witness, anyone with the database, the server’s key and
            its files can.
          </p>
        </li>
        <li>
          <h3>Your receipt</h3>
          <p>
            A ticket’s receipt and a printed ticket carry the seal of their moment: the log, its number of records and
            their fingerprint. That many records must have this fingerprint forever.
          </p>
          <p>
            For your own programs: the newest seal is <a href="/seals/checkpoint">this checkpoint</a>, and the log is
            public as hashes in C2SP format (tlog-tiles), with the <a href="/seals/key">key</a> that verifies it.
          </p>
        </li>
      </ol>
    </section>
  );
}
