import { Page } from '../ui/Page.tsx';
import { Skeleton } from '../ui/Waiting.tsx';

export function PageLoading() {
  return (
    <Page>
      <Skeleton heights={[120, 320]} />
    </Page>
  );
}
