import { Page } from '../ui/Page.tsx';
import { Skeleton } from '../ui/Waiting.tsx';

/** What stands in the place of a page while its code comes. */
export function PageLoading() {
  return (
    <Page>
      <Skeleton heights={[120, 320]} />
    </Page>
  );
}
