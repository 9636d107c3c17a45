import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/booster';
import { boosterSums } from '@drawhouse/rules/explain';
import type { Examination, TracedChoice } from '@drawhouse/rules/explain';
import { formatCount } from './fairFormat.ts';
import { resultName } from './drawVerdict.ts';
import type { DrawFinding } from './drawVerdict.ts';
import { FAIR } from './fairTexts.ts';
import { Mark } from './Mark.tsx';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

const markOf = (ok: boolean | null) => (ok === null ? 'none' : ok ? 'right' : 'wrong');
const WORDS_OF_BLOCK = 8;

interface StepsProps {
  draw: FairDraw;
  finding: DrawFinding;
  examination: Examination;
}

/** Every step of the check with its numbers, as they were computed here. */
export function CheckSteps({ draw, finding, examination }: StepsProps) {
  const { commitment, seedGives, generated, result, booster } = examination;
  if (!commitment) return null;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{FAIR.steps}</h2>
      <ol className={classes.steps}>
        <li>
          <h3>
            <Mark is={markOf(commitment.ok)} />
            The seed fits the commitment
          </h3>
          <p>The SHA-256 of the 32 bytes of the seed has to be what was published when the draw opened.</p>
          <dl className={classes.compared}>
            <dt>SHA-256 of the seed</dt>
            <dd>
              <code className={classes.long}>{commitment.computed}</code>
            </dd>
            <dt>Commitment</dt>
            <dd>
              <code className={classes.long}>{draw.commitment}</code>
            </dd>
          </dl>
        </li>
        {seedGives && (
          <>
            <li>
              <h3>
                <Mark is="none" />
                The seed gives numbers
              </h3>
              <p>
                HMAC-SHA256, with the seed as the key, of the draw’s id and a counter gives blocks of 32 bytes. Each is
                read as eight numbers from 0 to 4,294,967,295, the words.
                {!generated && ' For this draw they were not used: they only show what the seed holds.'}
              </p>
              <Blocks drawId={draw.drawId} blocks={seedGives.blocks} choices={seedGives.choices} />
            </li>
            <li>
              <h3>
                <Mark is={markOf(result)} />
                {generated ? 'The words give the result' : 'What the words would have given'}
              </h3>
              <p>
                Each choice takes the next word. Its remainder after dividing by the number of possibilities is the
                choice. A word so high that the remainders would not be alike likely is thrown away.
              </p>
              <Choices choices={seedGives.choices.slice(0, -1)} />
              <p>
                The seed gives <strong>{seedGives.label}</strong>
                {generated && (
                  <>
                    ; published is <strong>{resultName(draw, finding.rules)}</strong>
                  </>
                )}
                .
              </p>
            </li>
            <li>
              <h3>
                <Mark is={markOf(booster)} />
                {generated ? 'The next word gives the booster' : 'The booster it would have given'}
              </h3>
              <Choices choices={seedGives.choices.slice(-1)} />
              <BoosterChoice draw={draw} choice={seedGives.choices.at(-1)!} booster={seedGives.booster} />
              <p>
                The seed gives booster <strong>{seedGives.booster}</strong>
                {generated && (
                  <>
                    ; published is <strong>{draw.booster ?? '–'}</strong>
                  </>
                )}
                .
              </p>
            </li>
          </>
        )}
      </ol>
    </section>
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
            {wordsOf(block).map(({ word, place }) => (
              <span key={place} data-taken={index * WORDS_OF_BLOCK + place < taken || undefined}>
                {word}{' '}
              </span>
            ))}
          </code>
        </li>
      ))}
    </ol>
  );
}

/** A word as it stands in its block. */
function hexOf(word: number): string {
  return word.toString(16).padStart(8, '0');
}

/** The words of a block of 64 hex digits, each with its place. */
function wordsOf(block: string): { word: string; place: number }[] {
  return [...block.matchAll(/.{8}/g)].map(([word], place) => ({ word, place }));
}

function Choices({ choices }: { choices: readonly TracedChoice[] }) {
  return (
    <ul className={classes.choices}>
      {choices.map(({ decides, among, keptBelow, words, value, gives }) => (
        <li key={decides}>
          <span className={classes.name}>{decides}</span>
          {words.map(({ block, place, word }) => {
            const number = block * WORDS_OF_BLOCK + place + 1;
            return (
              <span key={number}>
                word {number}: {hexOf(word)} is {formatCount(word)}
                {word < keptBelow ? (
                  <>
                    , mod {formatCount(among)} = <strong>{formatCount(value)}</strong>
                    {decides !== 'booster' && `, which stands for ${gives}`}
                  </>
                ) : (
                  `, thrown away: it is not below ${formatCount(keptBelow)}, the largest multiple of ${formatCount(among)}`
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
  const sumOf = (index: number): string => formatCount(sums.at(index)?.below ?? 0);
  return (
    <p>
      The weights of the boosters, one after the other, add up to {formatCount(BOOSTER_WEIGHT_SUM)}.{' '}
      {formatCount(choice.value)} falls into the part of booster {booster}, which goes from{' '}
      {booster === 1 ? '0' : sumOf(-2)} to just below {sumOf(-1)}.
    </p>
  );
}
