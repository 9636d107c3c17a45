import { useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isSwitchedOff } from '../../../lib/singleKeys.ts';
import { useGo } from '../../../lib/useGo.ts';

/** The field of the URL that keeps the wall screen over a reload. */
const FIELD = 'wall';
/** Letters typed there are meant for what is typed into. */
const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"]';
const DIALOG = '[role="dialog"]';

/** Whether a panel is shown as a wall screen, and the ways in and out. */
export interface Wall {
  isOn: boolean;
  enter: () => void;
  leave: () => void;
}

/**
 * The wall screen of a panel: kept in the URL, in the browser's full screen where it can, else over the whole page. W leads in;
 * leaving the full screen leads out.
 */
export function useWall(): Wall {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isOn = useSearch({ strict: false, select: (search) => FIELD in search });
  const go = useGo();
  const enter = useCallback(() => {
    fillScreen();
    go.replace(`${pathname}?${FIELD}=on`);
  }, [go, pathname]);
  const leave = useCallback(() => {
    leaveScreen();
    go.replace(pathname);
  }, [go, pathname]);

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
    // Escape in full screen is the browser's own: the page hears of it only so.
    const onChange = () => {
      if (!document.fullscreenElement) leave();
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, [isOn, leave]);

  return { isOn, enter, leave };
}

/** Fills the screen where the browser can and the reader has just pressed something; else the page is all there is. */
export function fillScreen(): void {
  if (document.fullscreenElement || !document.fullscreenEnabled) return;
  void document.documentElement.requestFullscreen().catch(() => undefined);
}

function leaveScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
}
