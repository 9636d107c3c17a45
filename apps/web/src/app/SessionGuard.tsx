import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorMessage } from '../lib/api.ts';
import { askSession, isWordOld } from '../lib/askSession.ts';
import { formatCountdown } from '../lib/format.ts';
import { endSession, getSession, subscribeSession } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { useSession, useSessionTime } from '../lib/useSession.ts';
import { useSignOut } from '../lib/useSignOut.ts';
import { watchSession } from '../lib/watchSession.ts';
import { messages } from '../messages.ts';
import { Dialog } from '../ui/Dialog.tsx';

const texts = {
  title: 'Are you still there?',
  finalTitle: 'Your session is about to end',
  countdown: 'You will be signed out in',
  everywhere: ', in every tab.',
  text: 'Nothing was done here for a while. Stay signed in to go on where you are.',
  finalText: 'It has reached its longest time. Finish what you are doing, then sign in again.',
  stay: 'Stay signed in',
  understood: 'I understand',
} as const;

/** After a sleep the server gets this long to say whether the session still stands. */
const DOUBT_MS = 4000;

/**
 * Watches the end of the session: asks the server for it now and then while there is use, asks when the clocks disagree,
 * hears from the server when it has ended it, and two minutes before the end offers to stay signed in. Signing out at the end is the session's own.
 */
export function SessionGuard() {
  const session = useSession();
  useServersWord();
  const token = session?.token;
  useEffect(() => (token === undefined ? undefined : watchSession(token)), [token]);
  if (!session) return null;
  return <StayDialog session={session} />;
}

function StayDialog({ session }: { session: Session }) {
  const { phase, leftMs } = useSessionTime();
  const signOut = useSignOut();
  // Whoever closes the dialog is not asked again about the same end.
  const [closedFor, setClosedFor] = useState<number | null>(null);
  const stay = useMutation({ mutationFn: () => askSession() });
  const close = () => setClosedFor(session.expiresAt);
  useSettledDoubt(phase === 'doubtful', session.token);

  return (
    <Dialog
      opened={phase === 'warning' && closedFor !== session.expiresAt}
      onClose={close}
      title={session.final ? texts.finalTitle : texts.title}
      centered
      size="sm"
      zIndex={400}
    >
      <Text>
        {texts.countdown}{' '}
        <Text span fw={600} role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatCountdown(leftMs)}
        </Text>
        {texts.everywhere}
      </Text>
      <Text c="dimmed" mt="xs">
        {session.final ? texts.finalText : texts.text}
      </Text>
      {stay.error && (
        <Text role="alert" c="var(--dh-loss)" mt="sm">
          {errorMessage(stay.error)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={() => void signOut()}>
          {messages.auth.logout}
        </Button>
        {session.final ? (
          <Button onClick={close} data-autofocus>
            {texts.understood}
          </Button>
        ) : (
          <Button loading={stay.isPending} onClick={() => stay.mutate()} data-autofocus>
            {texts.stay}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

/** While there is use, the server's own word on the end is asked for now and then: it alone knows the longest time. */
function useServersWord() {
  useEffect(
    () =>
      subscribeSession(() => {
        const session = getSession();
        if (session && !session.final && isWordOld(session.token)) askSession().catch(() => undefined);
      }),
    [],
  );
}

/** Where only one clock says that the time is up, the server is asked; without an answer soon, it is up. */
function useSettledDoubt(doubtful: boolean, token: string) {
  useEffect(() => {
    if (!doubtful) return;
    askSession(AbortSignal.timeout(DOUBT_MS)).catch(() => endSession('ended', token));
  }, [doubtful, token]);
}
