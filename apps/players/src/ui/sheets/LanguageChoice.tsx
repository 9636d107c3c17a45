import { LANGUAGES, chooseLanguage, language } from '@drawhouse/session/language';
import type { Language } from '@drawhouse/session/language';
import styles from './Sheet.module.css';

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
