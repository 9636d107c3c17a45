import { lazy, Suspense } from 'react';
import { FairDrawPage } from '../features/fair/FairDrawPage.tsx';
import { FairStartPage } from '../features/fair/FairStartPage.tsx';
import { fairPath } from '../lib/paths.ts';
import { PageBanner } from './PageBanner.tsx';

const SEALS = 'seals';
/** With the bar of what does not fit: the other pages here come without what watches the seals. */
const SealsPages = lazy(async () => {
  const [{ FairSealsPage }, { SealBar }] = await Promise.all([
    import('../features/fair/FairSealsPage.tsx'),
    import('./SealBar.tsx'),
  ]);
  return {
    default: () => (
      <>
        <SealBar />
        <FairSealsPage />
      </>
    ),
  };
});

/**
 * What anybody may see, signed in or not: how draws are fair, and the check of each. It knows nothing of the session, and each of its
 * pages is loaded.
 */
export function FairPages() {
  const rest = window.location.pathname.slice(fairPath().length).replace(/\/$/, '');
  return (
    <>
      {rest === SEALS ? (
        <Suspense>
          <SealsPages />
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
