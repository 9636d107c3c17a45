import { language } from '@drawhouse/session/language';
import { FairDrawPage } from '../features/fair/draw/FairDrawPage.tsx';
import { FairStartPage } from '../features/fair/FairStartPage.tsx';
import { fairPath } from '../lib/paths.ts';
import { PageBanner } from './shell/PageBanner.tsx';

document.documentElement.lang = language;

/** Independent of any session. Every navigation is a full load. */
export function FairPages() {
  const rest = window.location.pathname.slice(fairPath().length).replace(/\/$/, '');
  return (
    <>
      {rest ? <FairDrawPage drawId={rest} /> : <FairStartPage />}
      <PageBanner />
    </>
  );
}
