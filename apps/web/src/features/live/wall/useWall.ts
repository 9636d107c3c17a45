import { useCallback, useEffect } from 'react';
import { isSwitchedOff } from '../../../lib/devicePreferences.ts';
import { go, usePathname, useSearch } from '../../../lib/navigation.ts';

const FIELD = 'wall';
const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"]';
const DIALOG = '[role="dialog"]';

export interface Wall {
  isOn: boolean;
  enter: () => void;
  leave: () => void;
}

/** Kept in the URL. W enters; leaving full screen exits. */
export function useWall(): Wall {
  const pathname = usePathname();
  const isOn = FIELD in useSearch();
  const enter = useCallback(() => {
    fillScreen();
    go.replace(`${pathname}?${FIELD}=on`);
  }, [pathname]);
  const leave = useCallback(() => {
    leaveScreen();
    go.replace(pathname);
  }, [pathname]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (document.querySelector(DIALOG)) return;
      if (isOn || event.key.toLowerCase() !== 'w' || isSwitchedOff(event)) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return;
      enter();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, enter]);

  useEffect(() => {
    if (!isOn) return undefined;
    // In full screen, only this event reports Escape.
    const onChange = () => {
      if (!document.fullscreenElement) leave();
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, [isOn, leave]);

  return { isOn, enter, leave };
}

/** Needs browser support and a recent user gesture; else stays within the page. */
export function fillScreen(): void {
  if (document.fullscreenElement || !document.fullscreenEnabled) return;
  void document.documentElement.requestFullscreen().catch(() => undefined);
}

function leaveScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
}

export function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let ended = false;
    // Browsers release the lock when the page is hidden.
    const hold = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      const wakeLock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (ended) void wakeLock?.release();
      else lock = wakeLock;
    };
    const onVisible = () => void hold();
    onVisible();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      ended = true;
      document.removeEventListener('visibilitychange', onVisible);
      void lock?.release();
    };
  }, []);
}
