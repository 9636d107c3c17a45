import type { Panel } from '@drawhouse/contract/live/live';
import {
  chosenWith,
  declarationOf,
  layoutOf,
  NO_SELECTION,
  type Declaration,
  type PanelLayout,
  type Selection,
} from '@drawhouse/rules/panel/layout';
import { rulesFor, type GameRules, type Outcome, type ParsedResult, type Result } from '@drawhouse/rules/games/rules';
import { shortWinners } from '@drawhouse/rules/panel/shown-result';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { gameOf, resultConsequence, type Consequence } from '../panelMath.ts';

export interface Choice {
  rules: GameRules;
  layout: PanelLayout;
  selection: Selection;
  isEmpty: boolean;
  result: ParsedResult;
  missing: readonly string[];
  /** Card type removed by choosing another color. */
  dropped: Outcome | null;
  declare: () => Declaration;
  text: string;
  booster: number;
  setBooster: (booster: number) => void;
  toggle: (slot: string, drawno: string) => void;
  select: (selection: Selection) => void;
  clear: () => void;
}

interface Chosen {
  selection: Selection;
  booster: number;
  dropped: Outcome | null;
}

const START: Chosen = { selection: NO_SELECTION, booster: 1, dropped: null };

/** Resets with the draw: its figures say nothing about the next. */
export function useChoice(panel: Panel, locked: boolean, drawId: string): Choice {
  const [choice, setChoice] = useState({ drawId, ...START });
  if (choice.drawId !== drawId) setChoice({ drawId, ...START });
  const change = useCallback(
    (to: (before: Chosen) => Partial<Chosen>) => setChoice((before) => ({ ...before, ...to(before) })),
    [],
  );

  const game = gameOf(panel);
  const rules = rulesFor(game);
  const layout = layoutOf(game);
  const selection = locked ? NO_SELECTION : choice.selection;
  const booster = Math.min(choice.booster, panel.maxBooster);
  const chosen = useMemo(() => {
    const result = rules.parseResult(declarationOf(rules, selection));
    const isEmpty = Object.keys(selection).length === 0;
    const lacking = isEmpty || result.ok ? [] : layout.sections.filter(({ slot }) => selection[slot] === undefined);
    const text = result.ok ? resultText(rules, result.result) : partialText(rules, selection);
    return { rules, layout, selection, result, isEmpty, missing: lacking.map(({ title }) => title), text };
  }, [rules, layout, selection]);

  const latest = useRef(panel);
  useEffect(() => {
    latest.current = panel;
  }, [panel]);
  const declare = useCallback(() => {
    const sumOf = (outcome: Outcome) => latest.current.data[rules.outcomes.indexOf(outcome)]?.sum ?? 0;
    return declarationOf(rules, selection, sumOf);
  }, [rules, selection]);

  const setBooster = useCallback((value: number) => change(() => ({ booster: value })), [change]);
  const toggle = useCallback(
    (slot: string, drawno: string) => change((before) => chosenWith(rules, before.selection, slot, drawno)),
    [change, rules],
  );
  const select = useCallback((wanted: Selection) => change(() => ({ selection: wanted, dropped: null })), [change]);
  const clear = useCallback(() => change(() => START), [change]);

  const { dropped } = choice;
  return useMemo(
    () => ({ ...chosen, declare, dropped, booster, setBooster, toggle, select, clear }),
    [chosen, declare, dropped, booster, setBooster, toggle, select, clear],
  );
}

/** Of the chosen result. Changes with each bet, unlike the choice. */
export function useConsequence({ result, rules, booster }: Choice, panel: Panel): Consequence | null {
  const { pays, leaves } = (result.ok && resultConsequence(panel, rules, result.result, booster)) || NOTHING;
  return useMemo(() => (pays === null || leaves === null ? null : { pays, leaves }), [pays, leaves]);
}

const NOTHING = { pays: null, leaves: null };

/** True if no single outcome determines the payout. */
export function isOfParts({ layout: { sections } }: Choice): boolean {
  return sections.some(({ slot }) => slot !== sections[0]!.slot);
}

function resultText(rules: GameRules, result: Result): string {
  return 'winners' in result ? shortWinners(result.winners) : rules.resultLabel(result);
}

function partialText({ outcomes, cardTypes = [], colors = [] }: GameRules, selection: Selection): string {
  const chosen = new Set(Object.values(selection));
  return [...outcomes, ...cardTypes, ...colors]
    .filter(({ drawno }) => chosen.has(drawno))
    .map(({ label }) => label)
    .join(' ');
}

/** Titles of missing numbers, for results with one per section. */
export function openSections({ result, selection, layout: { sections } }: Choice): string[] {
  if (!result.ok || !('winners' in result.result)) return [];
  return sections.filter(({ slot }) => selection[slot] === undefined).map(({ title }) => title);
}
