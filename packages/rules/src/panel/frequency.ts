import type { GameRules, Outcome, Result } from '../games/game-rules.ts';
import { groupOf } from './shown-result.ts';

export type Frequency = {
  value: string;
  label: string;
  count: number;
  /** Draws since it last came. 0: in the last one. Null: never. */
  since: number | null;
};

export type FrequencyGroup = {
  /** Sub-series or tier. Empty for draws with one result. */
  section: string;
  title: string;
  values: Frequency[];
};

/** Above this, counts digits instead. Includes the largest wheel. */
const MOST_LISTED = 38;
const DIGITS = ['Thousands', 'Hundreds', 'Tens', 'Units'];

type Part = Omit<FrequencyGroup, 'values'> & {
  values: readonly Pick<Frequency, 'value' | 'label'>[];
  of: (result: Result) => string | undefined;
};

/**
 * Results come newest first. With too many outcomes, counts digits; in 4D and jodi the last two per sub-series or tier.
 */
export function frequenciesOf(rules: GameRules, results: readonly Result[]): FrequencyGroup[] {
  return partsOf(rules).map(({ section, title, values, of }) => {
    const counts = new Map<string, { count: number; since: number }>();
    for (const [since, result] of results.entries()) {
      const value = of(result);
      if (value === undefined) continue;
      const entry = counts.get(value);
      if (entry) entry.count++;
      else counts.set(value, { count: 1, since });
    }
    return {
      section,
      title,
      values: values.map(({ value, label }) => {
        const entry = counts.get(value);
        return { value, label, count: entry?.count ?? 0, since: entry?.since ?? null };
      }),
    };
  });
}

function partsOf(rules: GameRules): Part[] {
  const { outcomes, cardTypes, colors } = rules;
  if (cardTypes && colors) {
    const [rank, suit, color] = rules.heads;
    return [
      { section: '', title: rank!.label, values: outcomes.map(valueOf), of: drawnOf },
      {
        section: '',
        title: suit!.label,
        values: cardTypes.map(valueOf),
        of: (result) => ('suit' in result ? result.suit : undefined),
      },
      {
        section: '',
        title: color!.label,
        values: colors.map(valueOf),
        of: (result) => ('color' in result ? result.color : undefined),
      },
    ];
  }
  if (outcomes[0]!.series !== undefined) {
    return [...Map.groupBy(outcomes, groupOf)].flatMap(([slot, own]) => digitParts(rules, slot, own, 2));
  }
  if (outcomes.length <= MOST_LISTED) return [{ section: '', title: '', values: outcomes.map(valueOf), of: drawnOf }];
  return digitParts(rules, '', outcomes, outcomes.at(-1)!.drawno.length);
}

const valueOf = ({ drawno, label }: Outcome): Pick<Frequency, 'value' | 'label'> => ({ value: drawno, label });

const drawnOf = (result: Result): string | undefined => ('drawno' in result ? result.drawno : undefined);

function digitParts(rules: GameRules, section: string, outcomes: readonly Outcome[], width: number): Part[] {
  const drawn = (result: Result): string | undefined =>
    'winners' in result ? result.winners[section] : drawnOf(result);
  const titles = rules.family === 'jodi' ? ['Andhar', 'Bahar'] : DIGITS.slice(-width);
  return titles.map((title, index): Part => {
    // Created games don't zero-pad numbers.
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
