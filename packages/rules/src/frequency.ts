import type { GameRules, Outcome, Result } from './game-rules.ts';
import { slotOf } from './layout.ts';

/** How often a value came out. */
export type Frequency = {
  /** A draw number, a suit, a colour or a digit. */
  value: string;
  label: string;
  count: number;
  /** Since how many draws it has not come: 0 where it came last, null where it did not come at all. */
  since: number | null;
};

/** What came out in one part of each result. */
export type FrequencyGroup = {
  /** The sub-series or tier; empty where a draw has one result. */
  section: string;
  /** Which part; empty where it is the whole result. */
  title: string;
  values: Frequency[];
};

/** Up to so many outcomes are told one by one: wheels are. Of more, the digits are. */
const MOST_TOLD = 38;
/** Names of digits by how many there are, where a game has no others. */
const DIGITS = ['Thousands', 'Hundreds', 'Tens', 'Units'];

/** Part of a result: what it may be, and what it is in a result; undefined where the result has none. */
type Part = Omit<FrequencyGroup, 'values'> & {
  values: readonly Pick<Frequency, 'value' | 'label'>[];
  of: (result: Result) => string | undefined;
};

/**
 * How often each outcome came in the results of a game, which stand newest first. Where there are too many outcomes, it is told of the
 * digits of the numbers drawn; in 4D and jodi of the last two, for each sub-series and each tier.
 */
export function frequenciesOf(rules: GameRules, results: readonly Result[]): FrequencyGroup[] {
  return partsOf(rules).map(({ section, title, values, of }) => {
    const counts = new Map<string, { count: number; since: number }>();
    for (const [since, result] of results.entries()) {
      const value = of(result);
      if (value === undefined) continue;
      const seen = counts.get(value);
      if (seen) seen.count++;
      else counts.set(value, { count: 1, since });
    }
    return {
      section,
      title,
      values: values.map(({ value, label }) => {
        const seen = counts.get(value);
        return { value, label, count: seen?.count ?? 0, since: seen?.since ?? null };
      }),
    };
  });
}

function partsOf(rules: GameRules): Part[] {
  const { outcomes, cardTypes, colors } = rules;
  if (cardTypes && colors) {
    const [rank, suit, color] = rules.heads;
    return [
      { section: '', title: rank!.label, values: outcomes.map(told), of: drawnOf },
      {
        section: '',
        title: suit!.label,
        values: cardTypes.map(told),
        of: (result) => ('suit' in result ? result.suit : undefined),
      },
      {
        section: '',
        title: color!.label,
        values: colors.map(told),
        of: (result) => ('color' in result ? result.color : undefined),
      },
    ];
  }
  if (outcomes[0]!.series !== undefined) {
    return [...Map.groupBy(outcomes, (outcome) => slotOf(outcome))].flatMap(([slot, own]) =>
      digitParts(rules, slot, own, 2),
    );
  }
  if (outcomes.length <= MOST_TOLD) return [{ section: '', title: '', values: outcomes.map(told), of: drawnOf }];
  return digitParts(rules, '', outcomes, outcomes.at(-1)!.drawno.length);
}

const told = ({ drawno, label }: Outcome): Pick<Frequency, 'value' | 'label'> => ({ value: drawno, label });

const drawnOf = (result: Result): string | undefined => ('drawno' in result ? result.drawno : undefined);

/** The last digits of the numbers that are drawn from some outcomes, the first of them first. */
function digitParts(rules: GameRules, section: string, outcomes: readonly Outcome[], width: number): Part[] {
  const drawn = (result: Result): string | undefined =>
    'winners' in result ? result.winners[section] : drawnOf(result);
  const titles = rules.family === 'jodi' ? ['Andhar', 'Bahar'] : DIGITS.slice(-width);
  return titles.map((title, index): Part => {
    // Numbers of a created game have no zeros before them.
    const digitOf = (drawno: string): string => drawno.padStart(width, '0').slice(-width).charAt(index);
    const digits = [...new Set(outcomes.map(({ drawno }) => digitOf(drawno)))].toSorted();
    return {
      section,
      title,
      values: digits.map((digit) => ({ value: digit, label: digit })),
      of: (result) => {
        const drawno = drawn(result);
        return drawno === undefined ? undefined : digitOf(drawno);
      },
    };
  });
}
