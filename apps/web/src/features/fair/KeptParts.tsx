import { chainName, isDrand } from '@drawhouse/rules/drand-chain';
import { examineSeed } from '@drawhouse/rules/published-seed';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { Copyable } from './Copyable.tsx';
import type { FairDraw } from './fairDraw.ts';
import { keptSignatures } from './keptSignatures.ts';
import { keptTexts } from './keptTexts.ts';
import { formatFullTime } from './fairFormat.ts';
import { Mark } from './Mark.tsx';
import classes from './fair.module.css';

/** What each of those who keep parts of a draw's seed has published and given, checked in this browser. */
export function KeptParts({ draw }: { draw: FairDraw }) {
  const published = draw as unknown as PublishedDraw;
  const parts = examineSeed(published);
  const signed = keptSignatures(draw);
  return (
    <>
      {draw.keepers.map((keeper, nth) => (
        <dl key={keeper.publicKey} className={classes.facts}>
          <dt>
            {keeper.name}, seed {keeper.index} of {keeper.day}
          </dt>
          <dd>
            <span className={classes.name}>Commitment</span>
            <Copyable value={keeper.commitment} name={`the commitment of ${keeper.name}`} />
            <span className={classes.name}>Public key</span>
            <Copyable value={keeper.publicKey} name={`the key of ${keeper.name}`} />
            <ul className={classes.checks}>
              <Checked ok={signed.keepers[nth]!.day} what={keptTexts.checks.day} />
              <Checked ok={parts.keepers[nth]?.root === keeper.root} what={keptTexts.checks.path} />
              {keeper.seed !== null && (
                <>
                  <Checked ok={parts.keepers[nth]?.computed === keeper.commitment} what={keptTexts.checks.commitment} />
                  <Checked ok={signed.keepers[nth]!.release === true} what={keptTexts.checks.release} />
                  <Checked
                    ok={signed.keepers[nth]!.inTime === true}
                    what={`${keptTexts.checks.inTime}: ${keeper.releasedAt === null ? '–' : formatFullTime(keeper.releasedAt)}`}
                  />
                </>
              )}
            </ul>
            {keeper.seed === null && <p>{draw.seed === null ? keptTexts.waiting : keptTexts.notReleased}</p>}
          </dd>
        </dl>
      ))}
      {draw.faults.length > 0 && (
        <>
          <h3>{keptTexts.faults}</h3>
          <ul>
            {draw.faults.map(({ by, reason, at }) => (
              <li key={by}>
                <strong>{by}</strong>, {formatFullTime(at)}: {reason}.
              </li>
            ))}
          </ul>
        </>
      )}
      {draw.beacon && (
        <Round
          beacon={draw.beacon}
          isFirst={parts.beacon?.round === draw.beacon.round}
          isSigned={signed.isRoundRight}
        />
      )}
    </>
  );
}

interface RoundProps {
  beacon: NonNullable<FairDraw['beacon']>;
  isFirst: boolean;
  isSigned: boolean;
}

function Round({ beacon, isFirst, isSigned }: RoundProps) {
  const { round, signature, hash } = beacon;
  const { about, which, signed } = isDrand(hash) ? keptTexts.drand : keptTexts.otherChain;
  return (
    <dl className={classes.facts}>
      <dt>
        Round {round} of {chainName(hash)}
      </dt>
      <dd>
        <p>{about}</p>
        <span className={classes.name}>{which}</span>
        <Copyable value={hash} name="the hash of the chain" />
        <ul className={classes.checks}>
          <Checked ok={isFirst} what={keptTexts.round} />
          {signature !== null && <Checked ok={isSigned} what={signed} />}
        </ul>
        {signature === null && <p>{keptTexts.notYet}</p>}
      </dd>
    </dl>
  );
}

function Checked({ ok, what }: { ok: boolean; what: string }) {
  return (
    <li>
      <Mark is={ok ? 'right' : 'wrong'} /> {what}
    </li>
  );
}
