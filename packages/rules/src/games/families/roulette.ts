import { PAY_SCALE, type GameRules, type Head, type Outcome, type WinningBet } from '../game-rules.ts';
import { pocketColor } from '../outcome-names.ts';
import { MAX_BOOSTER, betReturn, isAbsent, refuse, refuseHead, refuseSeries } from './bet-fields.ts';
import { numberText, singleNumberRules } from './single-number.ts';

/** Numbers without zeros, by outcome count. A bet on n numbers pays this divided by n. */
const NUMBERS_BY_SIZE = new Map([
  [13, 12],
  [37, 36],
  [38, 36],
]);

export const ROULETTE_SIZES: readonly number[] = [...NUMBERS_BY_SIZE.keys()];

const LABELS = {
  straight: 'Straight',
  split: 'Split',
  street: 'Street',
  corner: 'Corner',
  sixline: 'Six line',
  dozen: 'Dozen',
  column: 'Column',
  chance: 'Even chance',
} as const;

export type WheelKind = keyof typeof LABELS;

const NAMES: Record<Exclude<WheelKind, 'straight'>, string> = {
  split: 'A Split bet names two neighbors on the table, such as 1-2.',
  street: 'A Street bet names the three numbers of a row, such as 1-2-3.',
  corner: 'A Corner bet names four numbers that meet, such as 1-2-4-5.',
  sixline: 'A Six line bet names the numbers of two rows, such as 1-2-3-4-5-6.',
  dozen: 'A Dozen bet names 1, 2 or 3.',
  column: 'A Column bet names 1, 2 or 3.',
  chance: 'An Even chance bet names low, even, red, black, odd or high.',
};

export type WheelBet = {
  /** `17`, `red`, or kind and numbers: `split:1-2`. */
  key: string;
  kind: WheelKind;
  /** Key without the kind: `1-2`, `red`. */
  drawno: string;
  /** Name as on the table: `Split 1-2`, `Six line 1-6`. */
  name: string;
  /** Listed with zeros first. */
  numbers: readonly string[];
};

const betsBySize = new Map(ROULETTE_SIZES.map((size) => [size, newBets(size)]));

/** Keeps the order of the table. Empty for other families. */
export function wheelBets({ family, outcomes }: Pick<GameRules, 'family' | 'outcomes'>): readonly WheelBet[] {
  return family === 'roulette' ? (betsBySize.get(outcomes.length) ?? []) : [];
}

function newBets(size: number): WheelBet[] {
  const count = NUMBERS_BY_SIZE.get(size)!;
  const zeros = size - count === 2 ? ['0', '00'] : ['0'];
  const every = Array.from({ length: count }, (_, index) => index + 1);
  const named = (kind: WheelKind, drawno: string, name: string, numbers: readonly (string | number)[]): WheelBet => ({
    key: kind === 'straight' || kind === 'chance' ? drawno : `${kind}:${drawno}`,
    kind,
    drawno,
    name,
    numbers: numbers.map(String),
  });
  const listed = (kind: WheelKind, ...groups: readonly (readonly (string | number)[])[]): WheelBet[] =>
    groups.map((numbers) => {
      const drawno = numbers.join('-');
      const shown = kind === 'sixline' ? `${numbers[0]}-${numbers.at(-1)}` : drawno;
      return named(kind, drawno, `${LABELS[kind]} ${shown}`, numbers);
    });
  const counted = (kind: 'dozen' | 'column', includes: (number: number, nth: number) => boolean): WheelBet[] =>
    [1, 2, 3].map((nth) => {
      const numbers = every.filter((number) => includes(number, nth));
      return named(kind, String(nth), `${LABELS[kind]} ${nth}`, numbers);
    });
  const chance = (drawno: string, name: string, includes: (number: number) => boolean): WheelBet =>
    named('chance', drawno, name, every.filter(includes));

  const half = count / 2;
  const rowOf = (first: number): number[] => [first, first + 1, first + 2];
  const firsts = every.filter((number) => number % 3 === 1);
  const hasRightNeighbor = (number: number): boolean => number % 3 !== 0;
  return [
    ...listed('straight', ...zeros.map((zero) => [zero]), ...every.map((number) => [number])),
    ...listed(
      'split',
      ...(zeros.length === 1 ? ['0-1', '0-2', '0-3'] : ['0-00', '0-1', '0-2', '00-2', '00-3']).map((pair) =>
        pair.split('-'),
      ),
      ...every.flatMap((number) => [
        ...(hasRightNeighbor(number) ? [[number, number + 1]] : []),
        ...(number + 3 <= count ? [[number, number + 3]] : []),
      ]),
    ),
    ...listed(
      'street',
      ...(zeros.length === 1 ? ['0-1-2', '0-2-3'] : ['0-00-2', '0-1-2', '00-2-3']).map((three) => three.split('-')),
      ...firsts.map(rowOf),
    ),
    ...listed(
      'corner',
      ...(zeros.length === 1 ? [['0', 1, 2, 3]] : []),
      ...every
        .filter((number) => hasRightNeighbor(number) && number + 4 <= count)
        .map((number) => [number, number + 1, number + 3, number + 4]),
    ),
    ...listed('sixline', ...firsts.slice(0, -1).map((first) => [...rowOf(first), ...rowOf(first + 3)])),
    ...(count > 12 ? counted('dozen', (number, nth) => Math.ceil(number / 12) === nth) : []),
    ...counted('column', (number, nth) => number % 3 === nth % 3),
    chance('low', `1 to ${half}`, (number) => number <= half),
    chance('even', 'Even', (number) => number % 2 === 0),
    chance('red', 'Red', (number) => pocketColor(number) === 'red'),
    chance('black', 'Black', (number) => pocketColor(number) === 'black'),
    chance('odd', 'Odd', (number) => number % 2 === 1),
    chance('high', `${half + 1} to ${count}`, (number) => number > half),
  ];
}

/**
 * Wheels with 13 (0-12), 37 (0-36) or 38 (0, 00, 1-36) outcomes. A bet on n numbers is one bet and pays 36/n (12/n on
 * 13 outcomes), so all kinds return the same. Keys: `17`, `00`, `split:1-2`, `street:1-2-3`, `corner:1-2-4-5`,
 * `sixline:1-2-3-4-5-6`, `dozen:1`, `column:1`, `red`, `black`, `odd`, `even`, `low`, `high`.
 */
export function rouletteRules(size: number): GameRules {
  const bets = betsBySize.get(size);
  if (!bets) throw new RangeError(`A roulette has 13, 37 or 38 outcomes, not ${size}.`);
  const outcomes = bets
    .filter(({ kind }) => kind === 'straight')
    .map(({ drawno }): Outcome => ({ drawno, label: drawno, color: pocketColor(drawno) }));
  const covered = new Map(bets.map(({ kind, numbers }) => [kind, numbers.length]));
  const heads = [...covered].map(([name, count]): Head & { name: WheelKind } => {
    const pay = NUMBERS_BY_SIZE.get(size)! / count;
    return { name, label: LABELS[name], payHundredths: pay * PAY_SCALE };
  });
  const pays = new Map(heads.map(({ name, payHundredths }) => [name, payHundredths]));
  const wins = new Map(
    outcomes.map(({ drawno }) => [
      drawno,
      bets.flatMap(({ key, kind, numbers }): WinningBet[] => {
        const nth = numbers.indexOf(drawno);
        if (nth < 0) return [];
        const share = numbers.length > 1 && { share: { nth, of: numbers.length } };
        return [{ key, head: kind, payHundredths: pays.get(kind)!, ...share }];
      }),
    ]),
  );
  return singleNumberRules({
    family: 'roulette',
    outcomes,
    heads,
    maxBooster: MAX_BOOSTER,
    returns: heads.map((head) => betReturn(head, covered.get(head.name)!, size)),
    outcomeBets: ({ drawno }) => wins.get(drawno)!,
    parseBet: betParser(bets, heads, outcomes),
  });
}

/** Accepts numbers in any order; rows also by first and last number: `sixline` `1-6`. */
function betParser(
  bets: readonly WheelBet[],
  heads: readonly (Head & { name: WheelKind })[],
  outcomes: readonly Outcome[],
): GameRules['parseBet'] {
  const byText = new Map<string, WheelBet>();
  for (const bet of bets) {
    byText.set(`${bet.kind}:${bet.drawno}`, bet);
    const [first] = bet.numbers;
    // With zeros, ends are ambiguous.
    if (bet.drawno.includes('-') && Number(first) > 0) byText.set(`${bet.kind}:${first}-${bet.numbers.at(-1)}`, bet);
  }
  const place = new Map(outcomes.map(({ drawno }, index) => [drawno, index]));
  const inTableOrder = (text: string): string =>
    text
      .split('-')
      .toSorted((one, other) => (place.get(one) ?? -1) - (place.get(other) ?? -1))
      .join('-');
  return (line) => {
    const text = numberText(line.drawno);
    const named = isAbsent(line.head) ? (byText.has(`chance:${text}`) ? 'chance' : 'straight') : line.head;
    const head = heads.find(({ name }) => name === named);
    if (!head) return refuseHead(heads);
    const refusedSeries = refuseSeries(line);
    if (refusedSeries) return refusedSeries;
    const bet = text === null ? undefined : byText.get(`${head.name}:${inTableOrder(text)}`);
    if (bet) return { ok: true, key: bet.key, drawno: bet.drawno, head: bet.kind, series: null, subseries: null };
    if (head.name !== 'straight') return refuse('drawno', NAMES[head.name]);
    return refuse('drawno', `The draw number must be from ${outcomes[0]!.drawno} to ${outcomes.at(-1)!.drawno}.`);
  };
}
