import { textOf } from '@drawhouse/rules/bet-text/lines-text';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useEffect, useRef, useState } from 'react';
import { useDraftBackup } from '../lib/session/useDraftBackup.ts';
import { setTicketStarted } from '../lib/betting/openBets.ts';
import { fetchExpand } from './slip/lazyExpand.ts';
import type { Expand } from './slip/lazyExpand.ts';
import { EMPTY_SLIP, addFromText, replaceLines } from './slip/slip.ts';
import type { Slip, SlipStep } from './slip/slip.ts';
import { playTexts } from './playTexts.ts';

export function useSlip(rules: GameRules) {
  const [slip, setSlip] = useState<Slip>(EMPTY_SLIP);
  const [problem, setProblem] = useState<string | null>(null);
  // Current value: the parser may load after the touch, or after others.
  const now = useRef(EMPTY_SLIP);
  const set = (next: Slip): void => {
    now.current = next;
    setTicketStarted(next.lines.length > 0);
    setSlip(next);
  };
  useEffect(() => () => setTicketStarted(false), []);
  const take = (step: SlipStep): boolean => {
    if ('problems' in step) {
      setProblem(step.problems[0]!.message);
      return false;
    }
    setProblem(null);
    set(step.slip);
    return true;
  };
  const takeRead = async (stepOf: (expand: Expand) => SlipStep): Promise<boolean> => {
    const expand = await fetchExpand().catch(() => null);
    if (expand) return take(stepOf(expand));
    setProblem(playTexts.slip.notLoaded);
    return false;
  };
  const addBets = (text: string) => takeRead((expand) => addFromText(now.current, text, rules, expand));
  // Only unsent tickets are kept.
  useDraftBackup('ticket', slip.lines.length === 0 ? '' : textOf(slip.lines, rules), (text) => void addBets(text));
  return {
    slip,
    problem,
    addBets,
    load: (lines: Parameters<typeof replaceLines>[1]) =>
      takeRead((expand) => replaceLines(now.current, lines, rules, expand)),
    begin: () => set(EMPTY_SLIP),
    change: (change: (slip: Slip) => Slip) => take({ slip: change(now.current) }),
  };
}

export type SlipEditor = ReturnType<typeof useSlip>;
