import type { BetAnswer, PendingBet } from '../src/play/placing/pendingBet.ts';
import { createPlacing, type Placing } from '../src/play/placing/placing.ts';

interface Call {
  readonly kind: 'send' | 'ask';
  readonly bet: PendingBet;
  readonly tab: Tab;
  answer?: BetAnswer;
  isOver: boolean;
  isOnTheWay: boolean;
  readonly onAnswer: (answer: BetAnswer) => void;
}

interface Tab {
  placing: Placing;
  timers: Map<number, () => void>;
  watchers: Set<() => void>;
  /** Lag of the tab's server time. Null before the first sample. */
  behindMs: number | null;
  /** Latest estimate; never decreases. */
  latest: number;
  isOpen: boolean;
}

export const CLOSES_AT = 10_000;

export class PlacingWorld {
  now = 0;
  /** Earlier than announced if a result is saved. */
  closesAt = CLOSES_AT;
  hasCredit = true;
  isReady = true;
  readonly tickets = new Map<string, string>();
  readonly tabs: Tab[] = [];
  readonly calls: Call[] = [];
  readonly saidNot = new Set<string>();
  private readonly store = new Map<string, string>();
  private readonly queues = new Map<string, { tab: Tab; grant: () => void }[]>();
  private nextTimer = 0;
  private nextRequest = 0;

  private readonly hasLocks: boolean;

  constructor(hasLocks: boolean) {
    this.hasLocks = hasLocks;
  }

  openTab(): void {
    const tab: Tab = {
      placing: undefined as never,
      timers: new Map(),
      watchers: new Set(),
      behindMs: null,
      latest: -Infinity,
      isOpen: true,
    };
    this.tabs.push(tab);
    tab.placing = this.placingOf(tab);
  }

  closeTab(tab: Tab): void {
    tab.isOpen = false;
    tab.timers.clear();
    tab.watchers.clear();
    for (const [requestId, queue] of this.queues) {
      const wasHeld = queue[0]?.tab === tab;
      this.queues.set(
        requestId,
        queue.filter((each) => each.tab !== tab),
      );
      if (wasHeld) this.queues.get(requestId)![0]?.grant();
    }
  }

  place(tab: Tab, requestId = `request ${this.nextRequest++}`): void {
    const lines = [{ drawno: '7', head: 'number', qty: 1 }];
    tab.placing.place({ requestId, accountId: 'a', gameId: 'g', drawId: 'd', closesAt: CLOSES_AT, lines, stake: 1 });
    this.check();
  }

  closeEarly(): void {
    this.closesAt = Math.min(this.closesAt, this.now);
  }

  hearClosed(tab: Tab, behindMs: number): void {
    if (this.now < this.closesAt) return;
    tab.behindMs = behindMs;
    tab.placing.closed('d');
    this.check();
  }

  arrive(call: Call): void {
    call.isOnTheWay = false;
    const { requestId } = call.bet;
    const ticket = this.tickets.get(requestId);
    if (ticket !== undefined) call.answer = { kind: 'placed', ticket: null };
    else if (call.kind === 'ask') call.answer = { kind: 'not placed' };
    else if (!this.isReady) call.answer = { kind: 'retry', waitMs: 100 };
    else if (this.now >= this.closesAt)
      call.answer = { kind: 'refused', refusal: { code: 'BETTING_CLOSED', message: '' } };
    else if (!this.hasCredit) call.answer = { kind: 'refused', refusal: { code: 'INSUFFICIENT_CREDIT', message: '' } };
    else {
      if (this.saidNot.has(requestId)) throw new Error(`${requestId} was placed after being reported as not placed.`);
      this.tickets.set(requestId, call.bet.drawId);
      call.answer = { kind: 'placed', ticket: null };
    }
  }

  answer(call: Call, answer: BetAnswer): void {
    if (call.isOver) return;
    call.isOver = true;
    if (call.tab.isOpen) call.onAnswer(answer);
    this.check();
  }

  fire(tab: Tab): void {
    const [first] = tab.timers;
    if (!first) return;
    tab.timers.delete(first[0]);
    first[1]();
    this.check();
  }

  calmDown(): void {
    for (let turn = 0; turn < 60; turn++) {
      const open = this.calls.filter(({ isOver, isOnTheWay }) => !isOver || isOnTheWay);
      const hasTimers = this.tabs.some(({ isOpen, timers }) => isOpen && timers.size > 0);
      if (open.length === 0 && !hasTimers) return;
      for (const call of open) {
        if (call.isOnTheWay) this.arrive(call);
        this.answer(call, call.answer ?? { kind: 'unknown' });
      }
      for (const tab of this.tabs) if (tab.isOpen) this.fire(tab);
    }
  }

  check(): void {
    for (const { placing, isOpen } of this.tabs)
      if (isOpen)
        for (const { requestId, outcome } of placing.bets()) {
          if (outcome.kind === 'placed' && !this.tickets.has(requestId)) throw new Error(`${requestId} is not placed.`);
          if (outcome.kind !== 'not placed') continue;
          if (this.tickets.has(requestId)) throw new Error(`${requestId} is placed, and said not to be.`);
          this.saidNot.add(requestId);
        }
  }

  private placingOf(tab: Tab): Placing {
    const save = (requestId: string, text: string | undefined): void => {
      if (text === undefined) this.store.delete(requestId);
      else this.store.set(requestId, text);
      for (const other of this.tabs) if (other !== tab && other.isOpen) for (const watcher of other.watchers) watcher();
    };
    const call = (kind: Call['kind']) => (bet: PendingBet, onAnswer: Call['onAnswer']) => {
      this.calls.push({ kind, bet, tab, isOver: false, isOnTheWay: true, onAnswer });
    };
    return createPlacing(
      {
        save: (bet) => {
          save(bet.requestId, JSON.stringify(bet));
          return true;
        },
        stored: () => [...this.store.values()].map((text) => JSON.parse(text) as PendingBet),
        remove: (requestId) => save(requestId, undefined),
        watch: (onChange) => {
          tab.watchers.add(onChange);
          return () => tab.watchers.delete(onChange);
        },
        send: call('send'),
        ask: call('ask'),
        schedule: (_ms, then) => {
          const id = this.nextTimer++;
          tab.timers.set(id, then);
          return () => tab.timers.delete(id);
        },
        serverNow: () => {
          if (tab.behindMs === null) return null;
          tab.latest = Math.max(tab.latest, this.now - tab.behindMs);
          return tab.latest;
        },
        lock: this.hasLocks ? (requestId, onLocked) => this.lock(tab, requestId, onLocked) : null,
      },
      () => {},
    );
  }

  private lock(tab: Tab, requestId: string, onLocked: (release: () => void) => void): void {
    const queue = this.queues.get(requestId) ?? [];
    const entry = {
      tab,
      grant: () =>
        onLocked(() => {
          const now = this.queues.get(requestId)!;
          const isFirst = now[0] === entry;
          this.queues.set(
            requestId,
            now.filter((each) => each !== entry),
          );
          if (isFirst) this.queues.get(requestId)![0]?.grant();
        }),
    };
    this.queues.set(requestId, [...queue, entry]);
    if (queue.length === 0) entry.grant();
  }
}
