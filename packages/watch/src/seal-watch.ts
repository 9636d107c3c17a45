import { canVerifyInBrowser, verifyInBrowser } from '@drawhouse/tlog/web-ed25519';
import type { Get, LookPorts } from './log-look.ts';
import { HEARD_KEY, heardSeals } from './heard-seal.ts';
import { afterSettling, firstSight, lookAgain, readWatched } from './watched-log.ts';
import type { Watched } from './watched-log.ts';

/** Where the state is kept, for all tabs of a browser. */
const WATCH_KEY = 'seals';
/** What another tab has looked at so lately is not looked at again. */
const FRESH_MS = 60_000;

/** What watching needs of its page. */
export interface WatchPorts {
  readonly get: Get;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** In milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** A page's watch over the log of its server. */
export interface SealWatch {
  /** What is known; null where no log was seen. The same object until it changes. */
  readonly known: () => Watched | null;
  readonly subscribe: (changed: () => void) => () => void;
  /** Looks, unless a tab of this browser has a moment ago. What can't be looked at changes nothing. */
  readonly look: () => Promise<void>;
  /** A person has seen what was found, and goes on from what there is. */
  readonly settle: () => void;
  /** Takes up what another tab has kept. */
  readonly reread: () => void;
}

/** Watches the log of the server that a page comes from; who calls `look` says how often. */
export function createSealWatch({ get, storage, nowMs }: WatchPorts): SealWatch {
  const listeners = new Set<() => void>();
  let text = storage.getItem(WATCH_KEY);
  let known = readWatched(text);
  let looking: Promise<void> | null = null;
  const reread = (): void => {
    const now = storage.getItem(WATCH_KEY);
    if (now === text) return;
    text = now;
    known = readWatched(now);
    for (const changed of listeners) changed();
  };
  const keep = (next: Watched | null): void => {
    if (next === null) storage.removeItem(WATCH_KEY);
    else storage.setItem(WATCH_KEY, JSON.stringify(next));
    reread();
  };
  const look = async (): Promise<void> => {
    reread();
    const before = text;
    const heard = heardSeals(storage);
    const at = nowMs();
    if (heard.length === 0 && known && Math.abs(at - known.checkedAt) < FRESH_MS) return;
    const verify = (await canVerifyInBrowser()) ? verifyInBrowser : null;
    const ports: LookPorts = { get, verify };
    const from = known ?? (await firstSight(ports, at));
    const next = from && (await lookAgain(from, heard, ports, at));
    // What another tab has found meanwhile counts: it has looked later.
    if (storage.getItem(WATCH_KEY) !== before) return reread();
    keep(next?.watched ?? null);
    if (next && heard.length > 0) letGo(heard.filter((seal) => !next.waiting.includes(seal)));
  };
  /** What was compared waits no longer; what was heard meanwhile does. */
  const letGo = (compared: readonly string[]): void => {
    const rest = heardSeals(storage).filter((seal) => !compared.includes(seal));
    if (rest.length === 0) storage.removeItem(HEARD_KEY);
    else storage.setItem(HEARD_KEY, JSON.stringify(rest));
  };
  return {
    known: () => known,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    look() {
      looking ??= look().finally(() => (looking = null));
      return looking;
    },
    settle() {
      reread();
      if (known) keep(afterSettling(known));
    },
    reread,
  };
}
