import { FairDrawPage } from '../features/fair/FairDrawPage.tsx';
import { FairStartPage } from '../features/fair/FairStartPage.tsx';
import { fairPath } from '../lib/paths.ts';
import { GoContext } from '../lib/useGo.ts';
import { Notices } from './Notices.tsx';
import { useAddress } from './useAddress.ts';
import { NO_PAGES } from './useNewRelease.ts';

/** What anybody may see, signed in or not: how draws are fair, and the check of each. It knows nothing of the session. */
export function FairPages() {
  const { address, go } = useAddress();
  const drawId = address.pathname.slice(fairPath('').length);
  return (
    <GoContext value={go}>
      {drawId ? <FairDrawPage drawId={drawId} /> : <FairStartPage />}
      <Notices router={NO_PAGES} />
    </GoContext>
  );
}
