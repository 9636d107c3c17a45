import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** Shared with the back-office. Default: the device's; index.html applies it first. */
const KEY = 'theme';
const listeners = new Set<() => void>();
const ofDevice = matchMedia('(prefers-color-scheme: dark)');
ofDevice.addEventListener('change', show);
window.addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) show();
});

function themeNow(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return ofDevice.matches ? 'dark' : 'light';
}

function show(): void {
  document.documentElement.dataset['theme'] = themeNow();
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  show();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, themeNow);
}
