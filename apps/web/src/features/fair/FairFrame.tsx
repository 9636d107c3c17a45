import { LANGUAGES, chooseLanguage, language, type Language } from '@drawhouse/session/language';
import { house } from '@drawhouse/session/house';
import type { ReactNode } from 'react';
import { fairPath } from '../../lib/paths.ts';
import { HouseMark } from '../../ui/mark/HouseMark.tsx';
import { fairTexts } from './fairTexts.ts';
import classes from './fair.module.css';

interface FairFrameProps {
  title: string;
  of?: string;
  children: ReactNode;
}

export function FairFrame({ title, of, children }: FairFrameProps) {
  return (
    <div className={classes.page}>
      <title>{`${of === undefined ? title : `${of}: ${title}`} – ${house.name}`}</title>
      <header className={classes.bar}>
        <a className={classes.brand} href="/">
          <HouseMark size={24} />
          {house.name}
        </a>
        <nav className={classes.ways} aria-label={fairTexts.morePages}>
          <a href={fairPath()}>{fairTexts.title}</a>
          <a href="/" onClick={goBack}>
            {fairTexts.back}
          </a>
          {Object.entries(LANGUAGES).map(
            ([code, { name }]) =>
              code !== language && (
                <button key={code} type="button" lang={code} onClick={() => chooseLanguage(window, code as Language)}>
                  {name}
                </button>
              ),
          )}
        </nav>
      </header>
      <main className={classes.column}>
        <h1>
          {of !== undefined && <span className={classes.game}>{of}</span>}
          {title}
        </h1>
        {children}
      </main>
    </div>
  );
}

/** A new tab has no history, so the link leads to the start page. */
function goBack(event: { preventDefault: () => void }): void {
  if (window.history.length < 2) return;
  event.preventDefault();
  window.history.back();
}

const MARKS = {
  right: { sign: '✓', label: fairTexts.right2 },
  wrong: { sign: '✗', label: fairTexts.wrong2 },
  none: { sign: '·', label: fairTexts.notCheckable },
} as const;

export function Mark({ is }: { is: keyof typeof MARKS }) {
  const { sign, label } = MARKS[is];
  return (
    <span className={classes.mark} data-is={is}>
      <span aria-hidden>{sign}</span>
      <span className="unseen">{label}: </span>
    </span>
  );
}
