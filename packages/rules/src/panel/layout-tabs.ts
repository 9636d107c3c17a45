import type { GameRules } from '../games/game-rules.ts';
import { slotOf } from './layout.ts';
import type { PanelLayout, PanelSection } from './layout.ts';
import { memoizeByObject } from '../memoize.ts';

/** Sections under one tab: series of 4D, tiers of jodi. */
export type LayoutTab = {
  key: string;
  title: string;
  sections: readonly PanelSection[];
};

/** A section without series gets its own tab. */
export function layoutTabs({ sections }: PanelLayout): LayoutTab[] {
  const tabs = Map.groupBy(sections, ({ series, title }) => series ?? title);
  return [...tabs].map(([title, own]) => ({ key: own[0]!.key, title, sections: own }));
}

export function sectionOfEach({ outcomes }: GameRules, { sections }: PanelLayout): ReadonlyMap<string, PanelSection> {
  const bySlot = new Map(sections.map((section) => [section.slot, section]));
  return new Map(outcomes.map((outcome) => [outcome.drawno, bySlot.get(slotOf(outcome))!]));
}

/** Section at the same position under another tab. */
export function sectionUnder(tabs: readonly LayoutTab[], tabKey: string, section: PanelSection): PanelSection {
  const own = tabs.find(({ sections }) => sections.includes(section))!;
  const other = tabs.find(({ key }) => key === tabKey)!;
  return other.sections[own.sections.indexOf(section)]!;
}

export const betsOfSection = memoizeByObject(
  ({ rows }: PanelSection, { outcomes, outcomeBets }: GameRules): readonly string[] => {
    const bets = rows.flat().flatMap((index) => outcomeBets(outcomes[index]!));
    return [...new Set(bets.map(({ key }) => key))];
  },
);
