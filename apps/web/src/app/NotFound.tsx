import { Button, Title } from '@mantine/core';
import { useEffect } from 'react';
import { homePath, SIGN_IN_PATH } from '../lib/paths.ts';
import { readingMs } from '../lib/readingTime.ts';
import { useGo } from '../lib/useGo.ts';
import { useLater } from '../lib/useLater.ts';
import { useSession } from '../lib/useSession.ts';
import { commonTexts } from '../commonTexts.ts';
import { PathLink } from '../ui/PathLink.tsx';
import classes from './NotFound.module.css';

const texts = {
  title: 'This address leads nowhere',
  text: 'It may be mistyped, or of a page that is not yours. In a moment you are at your start.',
  go: 'Go there now',
} as const;
const LEAST_MS = 3000;

/** An unknown path says that it leads nowhere, and then leads to the own start: the role's first page, or the sign-in when signed out. */
export function NotFound() {
  const session = useSession();
  const go = useGo();
  const start = session ? homePath(session.role) : SIGN_IN_PATH;
  const isRead = useLater(readingMs(texts.title + texts.text, LEAST_MS));
  useEffect(() => {
    if (isRead) go.replace(start);
  }, [go, isRead, start]);
  return (
    <section className={classes.nowhere} role="alert">
      <title>{`${texts.title} – ${commonTexts.product}`}</title>
      <Title order={1}>{texts.title}</Title>
      <p>{texts.text}</p>
      <Button component={PathLink} href={start}>
        {texts.go}
      </Button>
    </section>
  );
}

/** The same as the whole page, where the address is below no role's. */
export function NotFoundPage() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
