import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import type { ExaminedSeed } from '@drawhouse/rules/fair/published-seed';
import type { ReactNode } from 'react';
import { fairTexts } from '../fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from '../fair.module.css';

export function SeedParts({ draw, rules, seed }: { draw: FairDraw; seed: string } & Pick<ExaminedSeed, 'rules'>) {
  return (
    <>
      <p>{fairTexts.seedParts}</p>
      <dl className={classes.compared}>
        <Part name={fairTexts.idDraw}>{draw.drawId}</Part>
        <Part name={fairTexts.sha256Terms}>{rules?.hash}</Part>
        <Part name={fairTexts.seedServer}>{draw.seed}</Part>
        {draw.beacons.map(({ publicKey, round, signature }) => (
          <Part key={publicKey} name={fairTexts.roundAndItsSignature(round, beaconName({ publicKey }))}>
            {signature}
          </Part>
        ))}
        <Part name={fairTexts.sha256TheseSeed}>{seed}</Part>
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
