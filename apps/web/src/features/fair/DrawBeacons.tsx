import { beaconName, QUICKNET, roundTimeMs } from '@drawhouse/rules/beacon-rounds';
import { formatTime } from './fairFormat.ts';
import { fairTexts } from './fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

/** The beacons of a draw, with their rounds and values; nothing without any. */
export function DrawBeacons({ draw: { beacons, wouldHaveBeen } }: { draw: FairDraw }) {
  if (beacons.length === 0) return null;
  const { title, about, unknown, round, key, value, notYet, wouldHave } = fairTexts.beacons;
  return (
    <section aria-labelledby="beacons">
      <h2 id="beacons">{title}</h2>
      <p>{about}</p>
      {wouldHaveBeen && (
        <p>
          {wouldHave} <strong>{wouldHaveBeen.resultLabel}</strong>, booster {wouldHaveBeen.booster}.
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
