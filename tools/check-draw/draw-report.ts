import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/fair/booster';
import { beaconName, QUICKNET } from '@drawhouse/rules/fair/beacon-rounds';
import { boosterSums, examineDraw, type Examination, type TracedChoice } from '@drawhouse/rules/fair/explain';
import { publishedRules } from '@drawhouse/rules/fair/fair';
import { beaconProblems } from '@drawhouse/rules/fair/beacon-signature';
import type { AnsweredDraw } from './read-draw.ts';

/** 0 correct where checkable, 1 wrong, 2 not checkable yet. */
export interface DrawReport {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
  readonly code: 0 | 1 | 2;
}

export function reportOn(draw: AnsweredDraw, { steps = false } = {}): DrawReport {
  const number = draw.number === undefined ? '' : ` (number ${draw.number})`;
  const undone = draw.undone ? `. It was undone by a restore on ${draw.undone.at.slice(0, 10)} and does not count` : '';
  const head = `Draw ${draw.drawId}${number} of the game ${draw.gameId}, committed to ${draw.commitment}${undone}`;
  if (!draw.seed && draw.undone && isRunning(draw))
    return {
      lines: [head],
      problems: ['The draw was undone before it had a result, so there is no seed to check.'],
      code: 2,
    };
  if (!draw.seed && isRunning(draw)) {
    const when = draw.drawsAt === undefined ? 'settled' : `settled, soon after ${draw.drawsAt}`;
    const problem = `The draw is ${draw.status}. It can be checked once it is ${when}, when its seed is published.`;
    return { lines: [head], problems: [problem], code: 2 };
  }
  if (draw.status === 'void' && !draw.seed) {
    const problem = 'The draw is void because its seed could not be read. It has no result and no seed to check.';
    return { lines: [head], problems: [problem], code: 2 };
  }
  const examination = examineDraw(draw);
  const lines = [head, ...(steps ? stepLines(draw, examination) : [])];
  const { check, generated, seedGives } = examination;
  const problems = [...(check.ok ? [] : check.problems), ...beaconProblems(draw.beacons)];
  if (problems.length > 0) return { lines, problems, code: 1 };
  const outside = draw.outside ?? null;
  lines.push('OK: the seed matches the commitment.', ...(outside === null ? beaconLines(draw) : []));
  if (generated) {
    // The check covers only the result itself.
    lines.push(`OK: the seed gives the published result, ${labelOf(draw)}, and the booster ${draw.booster}.`);
  } else if (draw.status === 'void') {
    lines.push('The draw was voided and has no result to check.');
    if (draw.wouldHaveBeen)
      lines.push(`OK: its result would have been ${seedGives?.label}, booster ${seedGives?.booster}.`);
  } else {
    lines.push(
      outside === null
        ? 'The result was declared by an operator, not generated, so it does not follow from the seed.'
        : `The result is that of ${outside}, an outside lottery, so it does not follow from the seed.`,
      ...(draw.corrections ?? []).map(
        ({ before, after, at }) => `Two people corrected it from ${before} to ${after} at ${at}.`,
      ),
    );
  }
  return { lines, problems: [], code: 0 };
}

/** Their values were verified before. */
function beaconLines({ beacons = [] }: AnsweredDraw): string[] {
  if (beacons.length === 0)
    return ['It uses no beacon: anyone with the database and the seed key could have known its result in advance.'];
  return beacons.flatMap((beacon) => [
    beacon.signature === null
      ? `Round ${beacon.round} of ${beaconName(beacon)} is not published yet.`
      : `OK: round ${beacon.round} matches the draw's close and is signed by ${beaconName(beacon)}.`,
    ...(beacon.publicKey === QUICKNET.publicKey
      ? []
      : [`This beacon's operator is unknown. Anyone with its key knows its values in advance: ${beacon.publicKey}`]),
  ]);
}

function isRunning({ status }: AnsweredDraw): boolean {
  return status === 'open' || status === 'closed' || status === 'drawn';
}

function labelOf(draw: AnsweredDraw): string {
  return draw.result === null ? 'none' : publishedRules(draw).resultLabel(draw.result);
}

function stepLines(draw: AnsweredDraw, { commitment, parts, seedGives, generated }: Examination): string[] {
  const lines = [`Seed              ${draw.seed}`];
  if (commitment) lines.push(`SHA-256 of it     ${commitment.computed}`);
  if (parts?.rules) lines.push(`Rules             ${parts.rules.text}`, `SHA-256 of them   ${parts.rules.hash}`);
  for (const { round, signature } of draw.beacons ?? [])
    lines.push(`Round ${round}`.padEnd(18) + (signature ?? 'not published'));
  if (parts?.rules && parts.seed) lines.push(`Seed of the draw  ${Buffer.from(parts.seed).toString('hex')}`);
  if (!seedGives) return lines;
  if (!generated) lines.push('Result the seed would have produced:');
  for (const [index, block] of seedGives.blocks.entries())
    lines.push(`Block ${String(index).padEnd(12)}${block}   HMAC-SHA256(seed, "${draw.drawId}:${index}")`);
  for (const choice of seedGives.choices) lines.push(...choiceLines(choice));
  const last = seedGives.choices.at(-1)!;
  const sums = boosterSums(draw.weights, seedGives.booster);
  lines.push(
    `Booster ${String(seedGives.booster).padEnd(10)}the weights 1 to ${seedGives.booster} sum to ` +
      `${sums.at(-1)!.below} of ${BOOSTER_WEIGHT_SUM}, above ${last.value}`,
  );
  lines.push(`The seed gives    ${seedGives.label}, booster ${seedGives.booster}`);
  return lines;
}

function choiceLines({ decides, among, rejectionBound, words, value, gives }: TracedChoice): string[] {
  return words.map(({ block, position, word }) => {
    const head = `${decides.padEnd(18)}word ${block * 8 + position + 1} = ${word}`;
    return word < rejectionBound
      ? `${head}, mod ${among} = ${value}${decides === 'booster' ? '' : ` → ${gives}`}`
      : `${head}, discarded: not below ${rejectionBound}, the largest multiple of ${among}`;
  });
}
