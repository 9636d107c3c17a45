import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useEffect, useState } from 'react';
import { sharedText } from '../lib/inLanguage.ts';
import { slipPrefix } from '../lib/betting/unsentSlips.ts';
import { setTicketStarted } from '../lib/betting/openBets.ts';
import { serverNow } from '../lib/server/serverTime.ts';
import { fetchExpand, type Expand } from './slip/lazyExpand.ts';
import { EMPTY_SLIP, type Slip, type SlipStep } from './slip/slip.ts';
import type { OwnSlip, replaceLines as replace, SlipDesk } from './slip/slipDesk.ts';
import { playTexts } from './playTexts.ts';

interface SlipScope {
  readonly accountId: string;
  readonly gameId: string;
  readonly opensAt: string;
}

const NO_SLIP: OwnSlip = { slip: EMPTY_SLIP, requestId: '', opensAt: '', dropped: null };

/** Survives reloads, until betting on its draw closes. */
export function useSlip(rules: GameRules, scope: SlipScope) {
  const [own, desk] = useDesk(rules, scope);
  const [problem, setProblem] = useState<string | null>(null);
  const take = (on: SlipDesk, step: SlipStep): boolean => {
    if ('problems' in step) {
      setProblem(sharedText(step.problems[0]!.message));
      return false;
    }
    setProblem(null);
    on.edit(step.slip);
    return true;
  };
  // Reads the slip after loading, since other touches may have come first.
  const takeRead = async (stepOf: (slip: Slip, part: DeskPart, expand: Expand) => SlipStep): Promise<boolean> => {
    const loaded = await Promise.all([desk.load(), fetchDesk(), fetchExpand()]).catch(() => null);
    if (loaded) {
      const [on, part, expand] = loaded;
      return take(on, stepOf(on.now().slip, part, expand));
    }
    setProblem(playTexts.slip.notLoaded);
    return false;
  };
  return {
    ...own,
    problem,
    addBets: (text: string) => takeRead((slip, part, expand) => part.addFromText(slip, text, rules, expand)),
    load: (lines: Parameters<typeof replace>[1]) =>
      takeRead((slip, part, expand) => part.replaceLines(slip, lines, rules, expand)),
    begin: () => desk.loaded()?.edit(EMPTY_SLIP),
    change: (change: (slip: Slip) => Slip) => {
      const on = desk.loaded();
      if (on) take(on, { slip: change(on.now().slip) });
    },
    forgetDropped: () => desk.loaded()?.forgetDropped(),
  };
}

export type SlipEditor = ReturnType<typeof useSlip>;

const fetchDesk = async () => import('./slip/slipDesk.ts');
type DeskPart = Awaited<ReturnType<typeof fetchDesk>>;

function lazyDesk(make: (part: DeskPart) => SlipDesk) {
  let desk: SlipDesk | null = null;
  let drawOpensAt = '';
  return {
    loaded: () => desk,
    async load(): Promise<SlipDesk> {
      const part = await fetchDesk();
      if (!desk) {
        desk = make(part);
        await desk.atDraw(drawOpensAt);
      }
      return desk;
    },
    atDraw(opensAt: string): void {
      drawOpensAt = opensAt;
      void desk?.atDraw(opensAt);
    },
  };
}

function useDesk(rules: GameRules, { accountId, gameId, opensAt }: SlipScope) {
  const [own, setOwn] = useState(NO_SLIP);
  const [desk] = useState(() =>
    lazyDesk(({ createSlipDesk, slipStore, textOf, uuidV7 }) =>
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
    ),
  );
  useEffect(() => desk.atDraw(opensAt), [desk, opensAt]);
  useEffect(() => {
    const key = slipPrefix(accountId) + gameId;
    const follow = (): void => {
      if (!desk.loaded() && localStorage.getItem(key) === null) return;
      desk.load().then(
        (loaded) => loaded.follow(),
        () => undefined,
      );
    };
    const onStorage = (event: StorageEvent): void => {
      if (event.key === null || event.key === key) follow();
    };
    follow();
    window.addEventListener('storage', onStorage);
    // Frozen and cached pages receive no storage events.
    for (const name of ['pageshow', 'focus']) window.addEventListener(name, follow);
    return () => {
      window.removeEventListener('storage', onStorage);
      for (const name of ['pageshow', 'focus']) window.removeEventListener(name, follow);
      setTicketStarted(false);
    };
  }, [desk, accountId, gameId]);
  return [own, desk] as const;
}
