import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/fair/booster';
import { boosterSums, type Examination, type TracedChoice } from '@drawhouse/rules/fair/explain';
import type { ReactNode } from 'react';
import { formatHex, formatPlainCount } from '../fairFormat.ts';
import { plainName, resultName, type DrawFinding } from './drawFinding.ts';
import { fairTexts, sharedText } from '../fairTexts.ts';
import { Mark } from '../FairFrame.tsx';
import type { FairDraw } from './fairDraw.ts';
import classes from '../fair.module.css';
import { richText } from '@drawhouse/session/rich-text';
import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import type { ExaminedSeed } from '@drawhouse/rules/fair/published-seed';

const markOf = (ok: boolean | null) => (ok === null ? 'none' : ok ? 'right' : 'wrong');
const WORDS_OF_BLOCK = 8;

interface StepsProps {
  draw: FairDraw;
  finding: DrawFinding;
  examination: Examination;
}

export function CheckSteps({ draw, finding, examination }: StepsProps) {
  const { commitment, parts, seedGives, generated, result, booster } = examination;
  if (!commitment) return null;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{fairTexts.steps}</h2>
      <ol className={classes.steps}>
        <Step is={markOf(commitment.ok)} title={fairTexts.seedMatchesCommitment}>
          <CommitmentFits computed={commitment.computed} published={draw.commitment} />
        </Step>
        {parts?.rules && parts.seed && (
          <Step is="none" title={fairTexts.partsProduceDrawsSeed}>
            <SeedParts draw={draw} rules={parts.rules} seed={formatHex(parts.seed)} />
          </Step>
        )}
        {seedGives && (
          <>
            <Step is="none" title={fairTexts.seedProducesNumbers}>
              <p>
                {richText(fairTexts.hmacSha256WithSeed, {
                  rules: parts?.rules && fairTexts.draw,
                  value: !generated && fairTexts.theyWereNotUsed,
                })}
              </p>
              <Blocks drawId={draw.drawId} blocks={seedGives.blocks} choices={seedGives.choices} />
            </Step>
            <Step is={markOf(result)} title={generated ? fairTexts.wordsProduceResult : fairTexts.resultWordsWouldHave}>
              <p>{fairTexts.eachChoiceTakesNext}</p>
              <Choices choices={seedGives.choices.slice(0, -1)} />
              <ComputedValue
                what={sharedText(finding.rules ? plainName(finding.rules, seedGives.result) : seedGives.label)}
                published={generated && sharedText(resultName(draw, finding.rules))}
              />
            </Step>
            <Step
              is={markOf(booster)}
              title={generated ? fairTexts.nextWordProducesBooster : fairTexts.boosterItWouldHave}
            >
              <Choices choices={seedGives.choices.slice(-1)} />
              <BoosterChoice draw={draw} choice={seedGives.choices.at(-1)!} booster={seedGives.booster} />
              <ComputedValue
                of={fairTexts.theBooster}
                what={seedGives.booster}
                published={generated && (draw.booster ?? '–')}
              />
            </Step>
          </>
        )}
      </ol>
    </section>
  );
}

interface StepProps {
  is: ReturnType<typeof markOf>;
  title: string;
  children: ReactNode;
}

function Step({ is, title, children }: StepProps) {
  return (
    <li>
      <h3>
        <Mark is={is} />
        {title}
      </h3>
      {children}
    </li>
  );
}

function CommitmentFits({ computed, published }: { computed: string; published: string }) {
  return (
    <>
      <p>{fairTexts.sha256Seeds32}</p>
      <dl className={classes.compared}>
        <dt>{fairTexts.sha256Seed}</dt>
        <dd>
          <code className={classes.long}>{computed}</code>
        </dd>
        <dt>{fairTexts.commitment}</dt>
        <dd>
          <code className={classes.long}>{published}</code>
        </dd>
      </dl>
    </>
  );
}

interface GivesProps {
  of?: string;
  what: ReactNode;
  published: ReactNode;
}

function ComputedValue({ of, what, published }: GivesProps) {
  return (
    <p>
      {richText(fairTexts.seedProduces, {
        of: of && `${of} `,
        strong: <strong>{what}</strong>,
        published: published !== false && (
          <>{richText(fairTexts.publishedOneIs, { strong: <strong>{published}</strong> })}</>
        ),
      })}
    </p>
  );
}

interface BlocksProps {
  drawId: string;
  blocks: readonly string[];
  choices: readonly TracedChoice[];
}

function Blocks({ drawId, blocks, choices }: BlocksProps) {
  const taken = choices.flatMap(({ words }) => words).length;
  return (
    <ol className={classes.blocks}>
      {blocks.map((block, index) => (
        <li key={block}>
          <span className={classes.name}>{fairTexts.hmacSha256Seed(drawId, index)}</span>
          <code className={classes.words}>
            {wordsOf(block).map(({ word, position }) => (
              <span key={position} data-taken={index * WORDS_OF_BLOCK + position < taken || undefined}>
                {word}{' '}
              </span>
            ))}
          </code>
        </li>
      ))}
    </ol>
  );
}

function hexOf(word: number): string {
  return word.toString(16).padStart(8, '0');
}

function wordsOf(block: string): { word: string; position: number }[] {
  return [...block.matchAll(/.{8}/g)].map(([word], position) => ({ word, position }));
}

function Choices({ choices }: { choices: readonly TracedChoice[] }) {
  return (
    <ul className={classes.choices}>
      {choices.map(({ decides, among, rejectionBound, words, value, gives }) => (
        <li key={decides}>
          <span className={classes.name}>{sharedText(decides)}</span>
          {words.map(({ block, position, word }) => {
            const number = block * WORDS_OF_BLOCK + position + 1;
            return (
              <span key={number}>
                {richText(fairTexts.wordIs, {
                  number,
                  word: hexOf(word),
                  word2: formatPlainCount(word),
                  value:
                    word < rejectionBound ? (
                      <>
                        {richText(fairTexts.mod, {
                          among: formatPlainCount(among),
                          strong: <strong>{formatPlainCount(value)}</strong>,
                          decides: decides !== 'booster' && fairTexts.whichStandsFor(sharedText(gives)),
                        })}
                      </>
                    ) : (
                      fairTexts.discardedItIsNot(formatPlainCount(rejectionBound), formatPlainCount(among))
                    ),
                })}
              </span>
            );
          })}
        </li>
      ))}
    </ul>
  );
}

function BoosterChoice({ draw, choice, booster }: { draw: FairDraw; choice: TracedChoice; booster: number }) {
  const sums = boosterSums(draw.weights, booster);
  const sumOf = (index: number): string => formatPlainCount(sums.at(index)?.below ?? 0);
  return (
    <p>
      {richText(fairTexts.boosterWeightsOneAfter, {
        boosterWeightSum: formatPlainCount(BOOSTER_WEIGHT_SUM),
        value: formatPlainCount(choice.value),
        booster,
        value2: booster === 1 ? '0' : sumOf(-2),
        value3: sumOf(-1),
      })}
    </p>
  );
}

function SeedParts({ draw, rules, seed }: { draw: FairDraw; seed: string } & Pick<ExaminedSeed, 'rules'>) {
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
