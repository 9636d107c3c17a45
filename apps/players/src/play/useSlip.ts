import type { GameRules } from '@drawhouse/rules/rules';
import { useState } from 'react';
import { EMPTY_SLIP, laid, loaded } from './slip/slip.ts';
import type { Slip, SlipStep } from './slip/slip.ts';

/** The ticket that is being made, how it is changed, and what was wrong with the last change. */
export function useSlip(rules: GameRules) {
  const [slip, setSlip] = useState<Slip>(EMPTY_SLIP);
  const [problem, setProblem] = useState<string | null>(null);
  const take = (step: SlipStep): boolean => {
    if ('problems' in step) {
      setProblem(step.problems[0]!.message);
      return false;
    }
    setProblem(null);
    setSlip(step.slip);
    return true;
  };
  return {
    slip,
    problem,
    lay: (text: string) => take(laid(slip, text, rules)),
    load: (lines: Parameters<typeof loaded>[1]) => take(loaded(slip, lines, rules)),
    /** A new ticket, of which nothing can be undone. */
    begin: () => setSlip(EMPTY_SLIP),
    change: (change: (slip: Slip) => Slip) => take({ slip: change(slip) }),
  };
}

/** The ticket that is being made, and how it is changed. */
export type SlipInHand = ReturnType<typeof useSlip>;
