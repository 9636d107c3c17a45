import { useEffect } from 'react';
import { spanText } from '@drawhouse/session/span-text';
import { secondsUntil } from '@drawhouse/session/server-clock';
import { serverNow } from '../../lib/server/serverTime.ts';

/** Seconds below a hundred, else whole minutes, at most 99. */
export function iconText(seconds: number): string {
  return seconds < 100 ? String(seconds) : `${Math.min(99, Math.floor(seconds / 60))}m`;
}

function iconOf(seconds: number): string {
  const text = iconText(seconds);
  const look = getComputedStyle(document.documentElement);
  const color = (name: string): string => look.getPropertyValue(name).trim();
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" ` +
    `fill="${color('--accent')}"/>` +
    `<text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="${text.length > 2 ? 16 : 20}" ` +
    `text-anchor="middle" fill="${color('--accent-text')}">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Counts down in title and icon while another tab is in front. */
export function TabCountdown({ moment }: { moment: string }): null {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    let before: { readonly title: string; readonly icon: string } | null = null;
    const restore = (): void => {
      if (!before) return;
      document.title = before.title;
      if (icon) icon.href = before.icon;
      before = null;
    };
    const show = (): void => {
      if (document.visibilityState === 'visible' || moment === '') return restore();
      before ??= { title: document.title, icon: icon?.href ?? '' };
      const seconds = secondsUntil(moment, serverNow());
      document.title = `${spanText(seconds * 1000)} ${before.title}`;
      if (icon) icon.href = iconOf(seconds);
    };
    show();
    const timer = setInterval(show, 1000);
    document.addEventListener('visibilitychange', show);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', show);
      restore();
    };
  }, [moment]);
  return null;
}
