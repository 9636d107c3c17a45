import type { GameRules } from './game-rules.ts';
import { slotOf } from './layout.ts';
import type { PanelLayout, PanelSection } from './layout.ts';
import { onceEach } from './once-each.ts';

/** Sections of a layout that are shown under one tab: the series of 4D, the tiers of jodi. */
export type LayoutTab = {
  key: string;
  title: string;
  sections: readonly PanelSection[];
};

/** The tabs of a layout; a section that is under none has one of its own. */
export function layoutTabs({ sections }: PanelLayout): LayoutTab[] {
  const tabs = Map.groupBy(sections, ({ series, title }) => series ?? title);
  return [...tabs].map(([title, own]) => ({ key: own[0]!.key, title, sections: own }));
}

/** The section of each outcome of a game, by draw number. */
export function sectionOfEach({ outcomes }: GameRules, { sections }: PanelLayout): ReadonlyMap<string, PanelSection> {
  const bySlot = new Map(sections.map((section) => [section.slot, section]));
  return new Map(outcomes.map((outcome) => [outcome.drawno, bySlot.get(slotOf(outcome))!]));
}

/** The section under another tab that stands there where this one stands under its own. */
export function sectionUnder(tabs: readonly LayoutTab[], tabKey: string, section: PanelSection): PanelSection {
  const own = tabs.find(({ sections }) => sections.includes(section))!;
  const other = tabs.find(({ key }) => key === tabKey)!;
  return other.sections[own.sections.indexOf(section)]!;
}

/** The keys of the bets that win with the outcomes of a section, each once. Made once for each section. */
export const betsOfSection = onceEach(
  ({ rows }: PanelSection, { outcomes, outcomeBets }: GameRules): readonly string[] => {
    const bets = rows.flat().flatMap((index) => outcomeBets(outcomes[index]!));
    return [...new Set(bets.map(({ key }) => key))];
  },
);
