import { FairDrawPage } from '../features/fair/FairDrawPage.tsx';
import { FairStartPage } from '../features/fair/FairStartPage.tsx';
import { fairPath } from '../lib/paths.ts';
import { PageBanner } from './PageBanner.tsx';

/**
 * What anybody may see, signed in or not: how draws are fair, and the check of each. It knows nothing of the session, and each of its
 * pages is loaded.
 */
export function FairPages() {
  const drawId = window.location.pathname.slice(fairPath().length).replace(/\/$/, '');
  return (
    <>
      {drawId ? <FairDrawPage drawId={drawId} /> : <FairStartPage />}
      <PageBanner />
    </>
  );
}
