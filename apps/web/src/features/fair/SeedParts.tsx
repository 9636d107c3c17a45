import { chainName } from '@drawhouse/rules/drand-chain';
import type { ExaminedSeed } from '@drawhouse/rules/published-seed';
import type { ReactNode } from 'react';
import { isShared } from './drawFinding.ts';
import { fairTexts } from './fairTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

/** From which parts, one after the other, the seed of a draw is computed since version 2 of the rules, each with its value, and what it comes to. */
export function SeedParts({
  draw,
  rules,
  seed,
  beacon,
}: { draw: FairDraw; seed: string } & Pick<ExaminedSeed, 'rules' | 'beacon'>) {
  const { own, shared } = fairTexts.seedParts;
  return (
    <>
      <p>{isShared(draw) ? shared : own}</p>
      <dl className={classes.compared}>
        <Part name="Id of the draw">{draw.drawId}</Part>
        <Part name="SHA-256 of the terms">{rules?.hash}</Part>
        <Part name="Seed of the server">{draw.seed}</Part>
        {draw.keepers.map((keeper) => (
          <Part key={keeper.publicKey} name={`Seed of ${keeper.name}`}>
            {keeper.seed}
          </Part>
        ))}
        {beacon && (
          <Part name={`Round ${beacon.round} of ${chainName(draw.beacon?.hash ?? '')}, SHA-256 of its signature`}>
            {beacon.randomness}
          </Part>
        )}
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
