import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import type { ExaminedSeed } from '@drawhouse/rules/fair/published-seed';
import type { ReactNode } from 'react';
import { fairTexts } from './fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

export function SeedParts({ draw, rules, seed }: { draw: FairDraw; seed: string } & Pick<ExaminedSeed, 'rules'>) {
  return (
    <>
      <p>{fairTexts.seedParts}</p>
      <dl className={classes.compared}>
        <Part name="Id of the draw">{draw.drawId}</Part>
        <Part name="SHA-256 of the terms">{rules?.hash}</Part>
        <Part name="Seed of the server">{draw.seed}</Part>
        {draw.beacons.map(({ publicKey, round, signature }) => (
          <Part
            key={publicKey}
            name={`Round ${round} of ${beaconName({ publicKey })}, and its signature, which is hashed`}
          >
            {signature}
          </Part>
        ))}
        <Part name="SHA-256 of these, the seed of the draw">{seed}</Part>
      </dl>
    </>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code className={classes.long}>{children}</code>
      </dd>
    </>
  );
}
