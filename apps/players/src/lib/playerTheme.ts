import { useSyncExternalStore } from 'react';

/** The two themes. */
export type Theme = 'light' | 'dark';

/** The key of the chosen theme, which the back-office has too. Without a choice it is that of the device; index.html sets the first. */
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

/** Chooses a theme, on this device and for all pages of the house. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  show();
}

/** The theme that is shown. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, themeNow);
}
