import { DEFAULT_AGE_NOTICE } from '@drawhouse/contract/house/gambling-help';
import { LANGUAGES, chooseLanguage, language, type Language } from '@drawhouse/session/language';
import { house } from '@drawhouse/session/house';
import { Link } from '../lib/navigation.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import styles from './House.module.css';

const texts = playerTexts.house;
/** Widest logo, as a multiple of its height. */
const WIDEST = 4;

/** Reserves space while the logo loads. */
export function HouseLogo({ height }: { height: number }) {
  const { logo } = house;
  if (!logo) return null;
  const scale = Math.min(height / logo.height, (WIDEST * height) / logo.width, 1);
  return (
    <img
      className={styles.logo}
      src={logo.url}
      alt=""
      width={Math.round(logo.width * scale)}
      height={Math.round(logo.height * scale)}
    />
  );
}

export function HouseLines() {
  return (
    <>
      {house.ageNotice && <p>{house.ageNotice === DEFAULT_AGE_NOTICE ? texts.ageNotice : house.ageNotice}</p>}
      {house.helpLine && <p>{texts.helpLine(house.helpLine)}</p>}
      {house.gamblingHelp?.map(({ country, name, contact }) => (
        <p key={country + name}>{texts.gamblingHelp(name, contact)}</p>
      ))}
    </>
  );
}

export function HouseFooter() {
  return (
    <footer className={styles.footer}>
      <strong>{house.name}</strong>
      <HouseLines />
      <p className={styles.links}>
        <Link href="/help">{texts.help}</Link>
        {house.hasTerms && <Link href="/terms">{texts.terms}</Link>}
        {Object.entries(LANGUAGES).map(
          ([code, { name }]) =>
            code !== language && (
              <button key={code} type="button" lang={code} onClick={() => chooseLanguage(window, code as Language)}>
                {name}
              </button>
            ),
        )}
      </p>
    </footer>
  );
}
