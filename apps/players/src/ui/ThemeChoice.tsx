import { chooseTheme, useTheme } from '../lib/playerTheme.ts';
import styles from './ThemeChoice.module.css';

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <fieldset className={styles.theme}>
      <legend className="unseen">Appearance</legend>
      {(['light', 'dark'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={theme === each} onClick={() => chooseTheme(each)}>
          {each === 'light' ? 'Light' : 'Dark'}
        </button>
      ))}
    </fieldset>
  );
}
