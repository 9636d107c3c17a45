import { WORLD, type GamblingHelp } from '@drawhouse/contract/house/gambling-help';
import type { House, readHouse } from '@drawhouse/contract/house/house';
import { house } from '@drawhouse/session/house';
import type { ReactNode } from 'react';
import { Link } from '../lib/navigation.ts';
import { richText } from '@drawhouse/session/rich-text';
import { playerTexts } from '../lib/playerTexts.ts';
import { call } from '../lib/server/playerApi.ts';
import { get } from '../lib/server/playerRoutes.ts';
import { useQuery } from '../lib/server/useQuery.ts';
import { HouseFooter } from '../ui/House.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../ui/Page.tsx';
import { houseTexts as texts } from './houseTexts.ts';
import styles from './HousePages.module.css';

const HOUSE = get<typeof readHouse>('house');

export function HelpPage() {
  return (
    <HousePage title={playerTexts.house.help}>
      {({ helpLine, gamblingHelp }) => (
        <>
          <section className={styles.part}>
            <h2>{texts.password.title}</h2>
            <p>{texts.password.player}</p>
            <p>{texts.password.staff}</p>
          </section>
          {helpLine && (
            <section className={styles.part}>
              <h2>{texts.reach(house.name)}</h2>
              <p>{helpLine}</p>
            </section>
          )}
          <section className={styles.part}>
            <h2>{texts.play.title}</h2>
            <p>{richText(texts.play.limits, { limits: <Link href="/mine/limits">{playerTexts.limits}</Link> })}</p>
            {gamblingHelp.length > 0 && <p>{texts.play.lines}</p>}
            <dl className={styles.lines}>
              {byCountry(gamblingHelp).map(([country, lines]) => (
                <div key={country}>
                  <dt>{country}</dt>
                  {lines.map(({ name, contact }) => (
                    <dd key={name}>
                      {name}: <Contact text={contact} />
                    </dd>
                  ))}
                </div>
              ))}
            </dl>
          </section>
        </>
      )}
    </HousePage>
  );
}

export function TermsPage() {
  return (
    <HousePage title={playerTexts.house.terms}>
      {({ terms }) =>
        terms === '' ? (
          <p>{texts.noTerms}</p>
        ) : (
          <div className={styles.terms}>
            {terms.split(/\n{2,}/).map((paragraph, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <p key={index}>{paragraph}</p>
            ))}
          </div>
        )
      }
    </HousePage>
  );
}

function HousePage({ title, children }: { title: string; children: (data: House) => ReactNode }) {
  const { data, error, reload } = useQuery('house', async (signal) => {
    return (await call(HOUSE, {}, { signal, background: true })).data;
  });
  return (
    <Page>
      <PageHeading title={title} />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[120, 240]} />}
      {data && children(data)}
      <HouseFooter />
    </Page>
  );
}

function Contact({ text }: { text: string }) {
  if (/^\+?[\d\s().-]{3,}$/.test(text)) return <a href={`tel:${text.replaceAll(/[^\d+]/g, '')}`}>{text}</a>;
  if (/^[a-z\d.-]+\.[a-z]{2,}$/.test(text))
    return (
      <a href={`https://${text}`} rel="noreferrer">
        {text}
      </a>
    );
  return text;
}

/** Sorts by country name in the visitor's language; lines for all other countries come last. */
function byCountry(lines: readonly GamblingHelp[]): [country: string, lines: GamblingHelp[]][] {
  const names = new Intl.DisplayNames(document.documentElement.lang, { type: 'region' });
  const nameOf = (code: string): string => (code === WORLD ? texts.play.elsewhere : (names.of(code) ?? code));
  const [elsewhere, known] = [true, false].map((isWorld) =>
    lines.filter(({ country }) => (country === WORLD) === isWorld),
  );
  const sorted = known!.toSorted((a, b) => nameOf(a.country).localeCompare(nameOf(b.country)));
  return [...Map.groupBy([...sorted, ...elsewhere!], ({ country }) => nameOf(country))];
}
