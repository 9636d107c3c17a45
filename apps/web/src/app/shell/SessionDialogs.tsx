import type { Session } from '@drawhouse/session/session-storage';
import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../lib/server/api.ts';
import { refreshSession, useSignOut } from '../../lib/session/sessionCalls.ts';
import { spanText } from '@drawhouse/session/span-text';
import { useSessionTime, useUser } from '../../lib/session/session.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { commonTexts } from '../../commonTexts.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { shellTexts } from './shellTexts.ts';
import { answerConfirmation } from '../../lib/session/confirmation.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';

const texts = {
  title: shellTexts.areYouStillThere,
  finalTitle: shellTexts.yourSessionIsAbout,
  countdown: shellTexts.youWillBeSigned,
  everywhere: shellTexts.inEveryTab,
  text: shellTexts.youHaveBeenInactive,
  finalText: shellTexts.itHasReachedIts,
  stay: shellTexts.staySignedIn,
  understood: shellTexts.iUnderstand,
} as const;

export function StayDialog({ session }: { session: Session }) {
  const { phase, leftMs } = useSessionTime();
  const signOut = useSignOut();
  const [closedFor, setClosedFor] = useState<number | null>(null);
  const stay = useMutation({ mutationFn: () => refreshSession() });
  const close = () => setClosedFor(session.expiresAt);

  return (
    <Dialog
      opened={phase === 'warning' && closedFor !== session.expiresAt}
      onClose={close}
      title={session.final ? texts.finalTitle : texts.title}
      size="sm"
      zIndex={400}
    >
      <Text>
        {texts.countdown}{' '}
        <Text span fw={600} role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {spanText(leftMs)}
        </Text>
        {texts.everywhere}
      </Text>
      <Text c="dimmed" mt="xs">
        {session.final ? texts.finalText : texts.text}
      </Text>
      {stay.error && (
        <Text role="alert" c="var(--dh-loss)" mt="sm">
          <FailureText message={errorMessage(stay.error)} />
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={() => void signOut()}>
          {commonTexts.auth.logout}
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

/** Asks for calls that no dialog made. Give each question its own `key`. */
export function PasswordDialog({ opened }: { opened: boolean }) {
  const { secondFactor } = useUser();
  return (
    <ConfirmDialog
      opened={opened}
      title={secondFactor ? shellTexts.confirmWithYourFactor : shellTexts.confirmWithYourPassword}
      confirms="always"
      onConfirm={() => answerConfirmation(true)}
      onClose={() => answerConfirmation(false)}
    >
      {secondFactor ? shellTexts.thisChangeNeedsFactor : shellTexts.thisChangeNeedsYour}
    </ConfirmDialog>
  );
}
