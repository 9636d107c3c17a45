import { createSignal } from '@drawhouse/session/page-store';
import { useSyncExternalStore } from 'react';
import { LANGUAGES, chooseLanguage, language, type Language } from '@drawhouse/session/language';
import styles from './Sheet.module.css';
import { sheetTexts } from './sheetTexts.ts';

type Theme = 'light' | 'dark';

const texts = sheetTexts.theme;

/** Shared with the back-office. Default: the device's; index.html applies it first. */
const KEY = 'theme';
const { listen, notify } = createSignal();
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
  notify();
}

function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  show();
}

function useTheme(): Theme {
  return useSyncExternalStore(listen, themeNow);
}

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <fieldset className={styles.theme}>
      <legend className="unseen">{texts.label}</legend>
      {(['light', 'dark'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={theme === each} onClick={() => chooseTheme(each)}>
          {texts[each]}
        </button>
      ))}
    </fieldset>
  );
}

/** Named in all languages, so that readers of any find it. */
const TITLE = 'Language / भाषा';

export function LanguageChoice() {
  return (
    <fieldset className={styles.languages}>
      <legend>{TITLE}</legend>
      <div className={styles.choices}>
        {Object.entries(LANGUAGES).map(([code, { name }]) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === language}
            onClick={() => chooseLanguage(window, code as Language)}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
