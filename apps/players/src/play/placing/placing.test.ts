import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSES_AT, PlacingWorld } from '../../../test/placingWorld.ts';

const STEPS = {
  serve: 8,
  straggle: 4,
  arrive: 2,
  'arrive late': 4,
  'lose answer': 2,
  'lose request': 1,
  fire: 6,
  credit: 3,
  ready: 1,
  reload: 2,
  open: 1,
  close: 1,
  'receive time': 2,
  time: 3,
  place: 1,
  'close early': 1,
  'receive closed': 2,
  forget: 1,
};
type Step = keyof typeof STEPS;
const anyStep = fc.tuple(
  fc.oneof(...Object.entries(STEPS).map(([step, weight]) => ({ arbitrary: fc.constant(step as Step), weight }))),
  fc.nat(20),
);

function play(world: PlacingWorld, steps: readonly (readonly [Step, number])[]): void {
  world.openTab();
  world.place(world.tabs[0]!);
  for (const [step, which] of steps) {
    const tabs = world.tabs.filter(({ isOpen }) => isOpen);
    const one = <T>(list: readonly T[]): T | undefined => list[which % Math.max(1, list.length)];
    const tab = one(tabs);
    const waiting = one(world.calls.filter(({ isOver }) => !isOver));
    const straggler = one(world.calls.filter(({ isOver, isOnTheWay }) => isOver && isOnTheWay));
    switch (step) {
      case 'serve':
      case 'lose answer':
        if (waiting?.isOnTheWay) world.arrive(waiting);
        if (waiting) world.answer(waiting, step === 'serve' && waiting.answer ? waiting.answer : { kind: 'unknown' });
        break;
      case 'arrive':
        if (waiting?.isOnTheWay) world.arrive(waiting);
        break;
      // The tab gives up, but the request may still arrive.
      case 'straggle':
        if (waiting) world.answer(waiting, { kind: 'unknown' });
        break;
      case 'arrive late':
        if (straggler) world.arrive(straggler);
        break;
      case 'lose request':
        if (waiting) waiting.isOnTheWay = false;
        if (waiting) world.answer(waiting, { kind: 'unknown' });
        break;
      case 'fire':
        if (tab) world.fire(tab);
        break;
      case 'credit':
        world.hasCredit = !world.hasCredit;
        break;
      case 'ready':
        world.isReady = !world.isReady;
        break;
      case 'time':
        world.now += which * 200;
        break;
      case 'receive time':
        if (tab) tab.behindMs = which * 20;
        break;
      case 'reload':
      case 'close':
        if (tab) world.closeTab(tab);
        if (step === 'reload') world.openTab();
        break;
      case 'open':
        if (tabs.length < 3) world.openTab();
        break;
      case 'close early':
        world.closeEarly();
        break;
      case 'receive closed':
        if (tab) world.hearClosed(tab, Math.min(tab.behindMs ?? 500, which * 20));
        break;
      case 'place':
        if (tab && world.now < world.closesAt) world.place(tab);
        break;
      case 'forget':
        for (const { requestId } of tab?.placing.bets() ?? []) tab?.placing.forget(requestId);
    }
    world.check();
  }
}

describe.each([
  { name: 'with locks', hasLocks: true },
  { name: 'without locks', hasLocks: false },
])('placing $name', ({ hasLocks }) => {
  it('yields one ticket or none, and tabs never lie, despite losses, delays, reloads and duplicates', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 50, size: 'max' }), (steps) => {
        const world = new PlacingWorld(hasLocks);
        play(world, steps);
        world.calmDown();
        world.now = Math.max(world.now, CLOSES_AT) + 1_000;
        world.isReady = true;
        world.openTab();
        for (const tab of world.tabs) tab.behindMs ??= 500;
        for (const tab of world.tabs) tab.behindMs = Math.min(tab.behindMs!, 500);
        world.calmDown();
        for (const { placing, isOpen } of world.tabs)
          if (isOpen)
            for (const { requestId, outcome } of placing.bets())
              expect(outcome.kind).toBe(world.tickets.has(requestId) ? 'placed' : 'not placed');
        world.check();
      }),
      { numRuns: 2_000 },
    );
  });

  it('eventually places bets lost on the way if their draw is still open', () => {
    const world = new PlacingWorld(hasLocks);
    world.openTab();
    const [tab] = world.tabs;
    tab!.behindMs = 0;
    world.place(tab!);
    world.calls[0]!.isOnTheWay = false;
    world.answer(world.calls[0]!, { kind: 'unknown' });
    expect(tab!.placing.bets()[0]!.outcome.kind).toBe('pending');
    world.calmDown();
    expect([...world.tickets.values()]).toEqual(['d']);
    expect(tab!.placing.bets()[0]!.outcome.kind).toBe('placed');
  });
});

describe('placing', () => {
  it('continues after a reload and drops only decided bets', () => {
    const world = new PlacingWorld(true);
    world.openTab();
    world.place(world.tabs[0]!);
    world.closeTab(world.tabs[0]!);
    world.openTab();
    const { placing } = world.tabs[1]!;
    const [bet] = placing.bets();
    placing.forget(bet!.requestId);
    expect(placing.bets()).toHaveLength(1);
    world.calmDown();
    expect(placing.bets()[0]!.outcome.kind).toBe('placed');
    placing.forget(bet!.requestId);
    expect(placing.bets()).toEqual([]);
    world.openTab();
    expect(world.tabs[2]!.placing.bets()).toEqual([]);
  });

  it('sends the slip that two tabs place once', () => {
    const world = new PlacingWorld(true);
    for (let tab = 0; tab < 2; tab++) world.openTab();
    for (const tab of world.tabs) world.place(tab, 'shared slip');
    world.calmDown();
    for (const { placing } of world.tabs) expect(placing.bets().map(({ outcome }) => outcome.kind)).toEqual(['placed']);
    expect(world.calls.filter(({ kind }) => kind === 'send')).toHaveLength(1);
    world.place(world.tabs[1]!, 'shared slip');
    world.calmDown();
    expect(world.calls.filter(({ kind }) => kind === 'send')).toHaveLength(1);
  });

  it('keeps a refusal that ended the session and resends nothing in the next', () => {
    const world = new PlacingWorld(true);
    world.openTab();
    const [tab] = world.tabs;
    world.place(tab!);
    const [sent] = world.calls;
    sent!.isOnTheWay = false;
    tab!.placing.stop();
    const refusal = { code: 'SESSION_ENDED', message: 'Your session has ended. Please sign in again.' };
    world.answer(sent!, { kind: 'refused', refusal });
    world.openTab();
    world.calmDown();
    expect(world.tabs[1]!.placing.bets()[0]!.outcome).toEqual({ kind: 'not placed', refusal: refusal });
    expect(world.calls).toHaveLength(1);
  });
});
