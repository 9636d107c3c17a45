import { useSession } from '../lib/playerSession.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { Page } from '../ui/Page.tsx';

/** Shown for an address that leads nowhere. */
export function UnknownPage() {
  const isSignedIn = useSession() !== null;
  return (
    <Page isNarrow>
      <PageHeading title="Nothing is here" />
      <p>This address leads nowhere. It may have been mistyped, or what was here is gone.</p>
      <ButtonLink to={isSignedIn ? '/' : '/welcome'} kind="main">
        {isSignedIn ? 'To the games' : 'To the start'}
      </ButtonLink>
    </Page>
  );
}
