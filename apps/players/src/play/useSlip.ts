import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { textOf } from '@drawhouse/rules/bet-text/lines-text';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useEffect, useState } from 'react';
import { slipStore, uuidV7 } from '../lib/betting/keptSlips.ts';
import { setTicketStarted } from '../lib/betting/openBets.ts';
import { serverNow } from '../lib/server/serverTime.ts';
import { fetchExpand } from './slip/lazyExpand.ts';
import type { Expand } from './slip/lazyExpand.ts';
import { EMPTY_SLIP, addFromText, replaceLines } from './slip/slip.ts';
import type { Slip, SlipStep } from './slip/slip.ts';
import { createSlipDesk, NO_SLIP } from './slip/slipDesk.ts';
import type { OwnSlip, SlipDesk } from './slip/slipDesk.ts';
import { playTexts } from './playTexts.ts';

interface SlipScope {
  readonly accountId: string;
  readonly gameId: string;
  /** Opening time of the draw that takes bets now or next. Empty: unknown. */
  readonly opensAt: string;
}

/** Survives leaving the page and reloads, until betting on its draw closes. */
export function useSlip(rules: GameRules, scope: SlipScope) {
  const [own, desk] = useDesk(rules, scope);
  const [problem, setProblem] = useState<string | null>(null);
  // Reads the current slip: the parser may load after the touch, or after others.
  const slipNow = (): Slip => desk.now().slip;
  const take = (step: SlipStep): boolean => {
    if ('problems' in step) {
      setProblem(step.problems[0]!.message);
      return false;
    }
    setProblem(null);
    desk.edit(step.slip);
    return true;
  };
  const takeRead = async (stepOf: (expand: Expand) => SlipStep): Promise<boolean> => {
    const expand = await fetchExpand().catch(() => null);
    if (expand) return take(stepOf(expand));
    setProblem(playTexts.slip.notLoaded);
    return false;
  };
  return {
    ...own,
    problem,
    addBets: (text: string) => takeRead((expand) => addFromText(slipNow(), text, rules, expand)),
    load: (lines: Parameters<typeof replaceLines>[1]) =>
      takeRead((expand) => replaceLines(slipNow(), lines, rules, expand)),
    begin: () => desk.edit(EMPTY_SLIP),
    change: (change: (slip: Slip) => Slip) => take({ slip: change(slipNow()) }),
    forgetDropped: () => desk.forgetDropped(),
  };
}

export type SlipEditor = ReturnType<typeof useSlip>;

function useDesk(rules: GameRules, { accountId, gameId, opensAt }: SlipScope): readonly [OwnSlip, SlipDesk] {
  const [own, setOwn] = useState(NO_SLIP);
  // New pays change neither bets nor their text.
  const [desk] = useState(() =>
    createSlipDesk({
      store: slipStore(localStorage, accountId, gameId),
      textOf: (lines) => textOf(lines, rules),
      parse: async (text) => (await fetchExpand())(text, rules, TICKET_LIMITS).lines,
      newRequestId: () => uuidV7(Math.floor(serverNow()), crypto.getRandomValues(new Uint8Array(10))),
      onChange: (next) => {
        setTicketStarted(next.slip.lines.length > 0);
        setOwn(next);
      },
    }),
  );
  useEffect(() => void desk.atDraw(opensAt), [desk, opensAt]);
  useEffect(() => {
    const { key } = slipStore(localStorage, accountId, gameId);
    const follow = (): void => void desk.follow();
    const hear = (event: StorageEvent): void => {
      if (event.key === null || event.key === key) follow();
    };
    window.addEventListener('storage', hear);
    // A page that was frozen or kept by Back hears no storage events.
    for (const name of ['pageshow', 'focus']) window.addEventListener(name, follow);
    return () => {
      window.removeEventListener('storage', hear);
      for (const name of ['pageshow', 'focus']) window.removeEventListener(name, follow);
      setTicketStarted(false);
    };
  }, [desk, accountId, gameId]);
  return [own, desk];
}
