import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import { slipPrefix } from '../../lib/betting/unsentSlips.ts';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { textOf } from '@drawhouse/rules/bet-text/line-name';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { Expand } from './lazyExpand.ts';
import { EMPTY_SLIP, step, type Slip, type SlipStep } from './slip.ts';

export { textOf };

export type SlipStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface StoredSlip {
  /** Id of its ticket, so two tabs cannot place it twice. */
  readonly requestId: string;
  /** Opening time of its draw. A slip never moves to another draw. */
  readonly opensAt: string;
  readonly text: string;
}

export function slipStore(storage: SlipStorage, accountId: string, gameId: string) {
  const key = slipPrefix(accountId) + gameId;
  return {
    key,
    read(): StoredSlip | null {
      try {
        const storedSlip = JSON.parse(storage.getItem(key) ?? 'null') as Partial<StoredSlip> | null;
        const texts = [storedSlip?.requestId, storedSlip?.opensAt, storedSlip?.text];
        return texts.every((text) => typeof text === 'string' && text !== '') ? (storedSlip as StoredSlip) : null;
      } catch {
        return null;
      }
    },
    /** False if storage fails: the slip then lasts as long as the page. */
    save(slip: StoredSlip | null): boolean {
      try {
        if (slip) storage.setItem(key, JSON.stringify(slip));
        else storage.removeItem(key);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/**
 * Restores a slip of the current draw and drops one of an earlier draw. One of a later draw belongs to another tab.
 * `now`: opening time of the current draw, empty if unknown.
 */
export function fateOfKept({ opensAt }: StoredSlip, now: string): 'restore' | 'drop' | 'leave' {
  if (opensAt === now) return 'restore';
  return opensAt < now ? 'drop' : 'leave';
}

/** RFC 9562: 48 bits of Unix milliseconds, 74 random bits. `random`: 10 bytes. */
export function uuidV7(now: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export interface OwnSlip {
  readonly slip: Slip;
  readonly requestId: string;
  readonly opensAt: string;
  readonly dropped: string | null;
}

const NO_SLIP: OwnSlip = { slip: EMPTY_SLIP, requestId: '', opensAt: '', dropped: null };

interface DeskPorts {
  readonly store: Pick<ReturnType<typeof slipStore>, 'read' | 'save'>;
  readonly textOf: (lines: Slip['lines']) => string;
  /** Null if the parser does not load. */
  readonly parse: (text: string) => Promise<readonly SlipLine[] | null>;
  readonly newRequestId: () => string;
  readonly onChange: (now: OwnSlip) => void;
}

/** All tabs follow the device's copy, so a slip placed or cleared in one disappears in the others. */
export function createSlipDesk(ports: DeskPorts) {
  let own = NO_SLIP;
  let drawOpensAt = '';
  let isStored = false;
  const set = (next: OwnSlip): void => {
    own = next;
    ports.onChange(next);
  };
  const edit = (slip: Slip): void => {
    const isEmpty = slip.lines.length === 0;
    const requestIdNow = isEmpty ? '' : own.requestId || ports.newRequestId();
    set({ slip, requestId: requestIdNow, opensAt: isEmpty ? '' : drawOpensAt, dropped: isEmpty ? own.dropped : null });
    const { requestId, opensAt } = own;
    isStored = ports.store.save(opensAt === '' ? null : { requestId, opensAt, text: ports.textOf(slip.lines) });
  };
  const adopt = async (text: string, requestId: string, opensAt: string): Promise<void> => {
    const before = own;
    const lines = await ports.parse(text);
    // The player bet meanwhile, or the copy changed.
    const storedSlip = ports.store.read();
    if (lines === null || own !== before || storedSlip?.requestId !== requestId || storedSlip.text !== text) return;
    isStored = true;
    const past = own.slip.lines.length === 0 ? [] : [...own.slip.past, own.slip.lines];
    set({ ...own, slip: { lines, past }, requestId, opensAt });
  };
  return {
    edit,
    /** Reads the device's copy, initially and after changes by another tab. */
    async follow(): Promise<void> {
      const storedSlip = ports.store.read();
      const { lines } = own.slip;
      if (storedSlip === null) {
        if (isStored && lines.length > 0) set({ ...NO_SLIP, dropped: own.dropped });
        isStored = false;
        return;
      }
      if (storedSlip.requestId === own.requestId && storedSlip.text === ports.textOf(lines)) return;
      if (drawOpensAt === '') return;
      const fate = fateOfKept(storedSlip, drawOpensAt);
      if (fate === 'restore') return adopt(storedSlip.text, storedSlip.requestId, storedSlip.opensAt);
      if (fate === 'drop' && lines.length === 0) set({ ...own, dropped: storedSlip.text });
    },
    async atDraw(opensAt: string): Promise<void> {
      const isFirst = drawOpensAt === '';
      if (opensAt !== '') drawOpensAt = opensAt;
      const { slip, opensAt: before } = own;
      if (slip.lines.length > 0 && opensAt !== '' && opensAt !== before) {
        if (before === '') return edit(slip);
        // Keeps the stored copy until the message is dismissed, so that every tab shows it.
        isStored = false;
        return set({ ...NO_SLIP, dropped: ports.textOf(slip.lines) });
      }
      if (isFirst && opensAt !== '') return this.follow();
    },
    forgetDropped(): void {
      if (ports.store.read()?.text === own.dropped) ports.store.save(null);
      set({ ...own, dropped: null });
    },
    now: () => own,
  };
}

export function addFromText(slip: Slip, text: string, rules: GameRules, expand: Expand): SlipStep {
  const added = expand(text, rules, TICKET_LIMITS);
  if (added.problems.length > 0) return { problems: added.problems };
  if (added.lines.length === 0) return { slip };
  return replaceLines(slip, [...slip.lines, ...added.lines], rules, expand);
}

export function replaceLines(
  slip: Slip,
  lines: readonly Pick<SlipLine, 'drawno' | 'head' | 'series' | 'qty'>[],
  rules: GameRules,
  expand: Expand,
): SlipStep {
  const all = expand(textOf(lines, rules), rules, TICKET_LIMITS);
  return all.problems.length > 0 ? { problems: all.problems } : { slip: step(slip, all.lines) };
}

export type SlipDesk = ReturnType<typeof createSlipDesk>;
