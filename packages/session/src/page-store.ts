import { useSyncExternalStore } from 'react';

export interface Signal<News = void> {
  readonly listen: (listener: (news: News) => void) => () => void;
  readonly notify: (news: News) => void;
}

export function createSignal<News = void>(): Signal<News> {
  const listeners = new Set<(news: News) => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(news) {
      for (const listener of listeners) listener(news);
    },
  };
}

export interface PageStore<Value> extends Pick<Signal, 'listen'> {
  readonly get: () => Value;
  /** Notifies listeners unless the value is unchanged. */
  readonly set: (next: Value) => void;
  readonly useValue: () => Value;
}

/** Shares a value among all components of a page. */
export function createPageStore<Value>(value: Value): PageStore<Value> {
  const { listen, notify } = createSignal();
  const get = (): Value => value;
  return {
    get,
    listen,
    set(next) {
      if (next === value) return;
      value = next;
      notify();
    },
    useValue: () => useSyncExternalStore(listen, get),
  };
}

export interface TickedPage {
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
}

/** Fires every `everyMs` and when the page becomes visible; all listeners share one timer. */
export function createTicker(pageOf: () => TickedPage, everyMs: number): Signal['listen'] {
  const { listen, notify } = createSignal();
  let timer: ReturnType<typeof setInterval> | undefined;
  let count = 0;
  return (listener) => {
    if (count++ === 0) {
      timer = setInterval(notify, everyMs);
      pageOf().addEventListener('visibilitychange', notify);
    }
    const leave = listen(listener);
    return () => {
      leave();
      if (--count > 0) return;
      clearInterval(timer);
      pageOf().removeEventListener('visibilitychange', notify);
    };
  };
}
