import { expect, it } from 'vitest';
import { betsOfSection, layoutTabs, sectionOfEach, sectionUnder, layoutOf } from './layout.ts';
import { rulesFor, type GameIdentity } from '../games/rules.ts';

const LOTTERY_4D: GameIdentity = { gameId: 'lottery4d', family: 'lottery4d', digits: 3000 };
const JODI: GameIdentity = { gameId: 'acqOpdpL', family: 'jodi', digits: 300 };

const section = (game: GameIdentity, title: string) => layoutOf(game).sections.find((each) => each.title === title)!;

it('4D has a tab per series with ten sub-series, jodi one per tier', () => {
  expect(layoutTabs(layoutOf(LOTTERY_4D)).map(({ title, sections }) => [title, sections.length])).toEqual([
    ['1000-1999', 10],
    ['3000-3999', 10],
    ['5000-5999', 10],
  ]);
  expect(layoutTabs(layoutOf(JODI)).map(({ title }) => title)).toEqual(['K50SILVER', 'K60GOLD', 'K70DIAMOND']);
});

it('each 4D number belongs to its sub-series, and switching series keeps the position', () => {
  const layout = layoutOf(LOTTERY_4D);
  const rules = rulesFor(LOTTERY_4D);
  const sectionOf = sectionOfEach(rules, layout);
  expect(sectionOf.size).toBe(3000);
  expect(['1000', '1999', '3305'].map((drawno) => sectionOf.get(drawno)!.title)).toEqual([
    '1000-1099',
    '1900-1999',
    '3300-3399',
  ]);
  for (const each of layout.sections)
    expect(each.rows.flat().map((index) => sectionOf.get(rules.outcomes[index]!.drawno))).toEqual(
      Array.from({ length: 100 }, () => each),
    );
  const tabs = layoutTabs(layout);
  const under = (title: string, tab: number) => sectionUnder(tabs, tabs[tab]!.key, section(LOTTERY_4D, title)).title;
  expect(under('1300-1399', 1)).toBe('3300-3399');
  expect(under('5900-5999', 0)).toBe('1900-1999');
  expect(under('1300-1399', 0)).toBe('1300-1399');
});

it('a bet on ten numbers belongs once to its tier only', () => {
  const rules = rulesFor(JODI);
  const keys = betsOfSection(section(JODI, 'K60GOLD'), rules);
  expect(keys).toHaveLength(120);
  expect(new Set(keys).size).toBe(120);
  expect(keys).toContain('K60GOLD|andhar:4');
  expect(keys.every((key) => key.startsWith('K60GOLD|'))).toBe(true);
});
