import { useCallback, useEffect } from 'react';
import { isSwitchedOff } from '../../../lib/devicePreferences.ts';
import { go, usePathname, useSearch } from '../../../lib/navigation.ts';
import { fillScreen, leaveScreen } from './display.ts';

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
