import { ButtonLink } from '../ui/Button.tsx';
import { Page } from '../ui/Page.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

/** The place of the page; its content follows. */
export function MyBetPage() {
  return (
    <Page>
      <PageHeading title="My bet" />
      <ButtonLink to="/">To the games</ButtonLink>
    </Page>
  );
}
