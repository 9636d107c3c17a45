import type { PageProps } from '../lib/pageProps.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Page } from '../ui/Page.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

/** The place of the board of a game; the board follows. */
export function PlayPage({ params }: PageProps) {
  return (
    <Page>
      <PageHeading title={params['gameId'] ?? ''} />
      <ButtonLink to="/">To the games</ButtonLink>
    </Page>
  );
}
