import { useEffect } from 'react';

/** Needs browser support and a recent user gesture; else stays within the page. */
export function fillScreen(): void {
  if (document.fullscreenElement || !document.fullscreenEnabled) return;
  void document.documentElement.requestFullscreen().catch(() => undefined);
}

export function leaveScreen(): void {
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
