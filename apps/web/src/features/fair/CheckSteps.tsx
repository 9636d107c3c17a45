import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/fair/booster';
import { boosterSums } from '@drawhouse/rules/fair/explain';
import type { Examination, TracedChoice } from '@drawhouse/rules/fair/explain';
import type { ReactNode } from 'react';
import { formatHex, formatPlainCount } from './fairFormat.ts';
import { plainName, resultName } from './drawFinding.ts';
import type { DrawFinding } from './drawFinding.ts';
import { fairTexts } from './fairTexts.ts';
import { Mark } from './FairFrame.tsx';
import { SeedParts } from './SeedParts.tsx';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

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
        <Step is={markOf(commitment.ok)} title="The seed matches the commitment">
          <CommitmentFits computed={commitment.computed} published={draw.commitment} />
        </Step>
        {parts?.rules && parts.seed && (
          <Step is="none" title="The parts produce the draw’s seed">
            <SeedParts draw={draw} rules={parts.rules} seed={formatHex(parts.seed)} />
          </Step>
        )}
        {seedGives && (
          <>
            <Step is="none" title="The seed produces numbers">
              <p>
                HMAC-SHA256, with the seed{parts?.rules && ' of the draw'} as the key, of the draw’s id and a counter
                produces blocks of 32 bytes. Each is read as eight numbers from 0 to 4,294,967,295, called words.
                {!generated && ' They were not used for this draw; they only show what the seed contains.'}
              </p>
              <Blocks drawId={draw.drawId} blocks={seedGives.blocks} choices={seedGives.choices} />
            </Step>
            <Step
              is={markOf(result)}
              title={generated ? 'The words produce the result' : 'The result the words would have produced'}
            >
              <p>
                Each choice takes the next word. The remainder after dividing it by the number of possibilities is the
                choice. Words too high for all remainders to be equally likely are discarded.
              </p>
              <Choices choices={seedGives.choices.slice(0, -1)} />
              <ComputedValue
                what={finding.rules ? plainName(finding.rules, seedGives.result) : seedGives.label}
                published={generated && resultName(draw, finding.rules)}
              />
            </Step>
            <Step
              is={markOf(booster)}
              title={generated ? 'The next word produces the booster' : 'The booster it would have produced'}
            >
              <Choices choices={seedGives.choices.slice(-1)} />
              <BoosterChoice draw={draw} choice={seedGives.choices.at(-1)!} booster={seedGives.booster} />
              <ComputedValue of="booster" what={seedGives.booster} published={generated && (draw.booster ?? '–')} />
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
      <p>The SHA-256 of the seed’s 32 bytes must equal the commitment published when the draw opened.</p>
      <dl className={classes.compared}>
        <dt>SHA-256 of the seed</dt>
        <dd>
          <code className={classes.long}>{computed}</code>
        </dd>
        <dt>Commitment</dt>
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
  /** False if the draw was not generated from its seed. */
  published: ReactNode;
}

function ComputedValue({ of, what, published }: GivesProps) {
  return (
    <p>
      The seed produces {of && `${of} `}
      <strong>{what}</strong>
      {published !== false && (
        <>
          ; the published one is <strong>{published}</strong>
        </>
      )}
      .
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
          <span className={classes.name}>
            HMAC-SHA256(seed, “{drawId}:{index}”)
          </span>
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
          <span className={classes.name}>{decides}</span>
          {words.map(({ block, position, word }) => {
            const number = block * WORDS_OF_BLOCK + position + 1;
            return (
              <span key={number}>
                word {number}: {hexOf(word)} is {formatPlainCount(word)}
                {word < rejectionBound ? (
                  <>
                    , mod {formatPlainCount(among)} = <strong>{formatPlainCount(value)}</strong>
                    {decides !== 'booster' && `, which stands for ${gives}`}
                  </>
                ) : (
                  `, discarded: it is not below ${formatPlainCount(rejectionBound)}, the largest multiple of ${formatPlainCount(among)}`
                )}
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
      The booster weights, one after the other, add up to {formatPlainCount(BOOSTER_WEIGHT_SUM)}.{' '}
      {formatPlainCount(choice.value)} falls in the range of booster {booster}, which goes from{' '}
      {booster === 1 ? '0' : sumOf(-2)} to just below {sumOf(-1)}.
    </p>
  );
}
