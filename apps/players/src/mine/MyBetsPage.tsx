import { ButtonLink } from '../ui/Button.tsx';
import { Page } from '../ui/Page.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

/** The place of the page; its content follows. */
export function MyBetsPage() {
  return (
    <Page>
      <PageHeading title="My bets" />
      <ButtonLink to="/">To the games</ButtonLink>
    </Page>
  );
}
