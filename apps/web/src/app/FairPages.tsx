import { language } from '@drawhouse/session/language';
import { lazy, Suspense } from 'react';
import { FairDrawPage } from '../features/fair/draw/FairDrawPage.tsx';
import { FairStartPage } from '../features/fair/FairStartPage.tsx';
import { fairPath } from '../lib/paths.ts';
import { PageBanner } from './shell/PageBanner.tsx';

document.documentElement.lang = language;

const SEALS = 'seals';
const FairSealsPage = lazy(async () => ({
  default: (await import('../features/fair/FairSealsPage.tsx')).FairSealsPage,
}));

/** Independent of any session. Every navigation is a full load. */
export function FairPages() {
  const rest = window.location.pathname.slice(fairPath().length).replace(/\/$/, '');
  return (
    <>
      {rest === SEALS ? (
        <Suspense>
          <FairSealsPage />
        </Suspense>
      ) : rest ? (
        <FairDrawPage drawId={rest} />
      ) : (
        <FairStartPage />
      )}
      <PageBanner />
    </>
  );
}
