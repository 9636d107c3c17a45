import type { Account } from '@drawhouse/contract/accounts/accounts';
import { inviteAccount } from '@drawhouse/contract/auth/invitations';
import { Button, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { useConfirmCall } from '../../../lib/form/useConfirmCall.ts';
import { call } from '../../../lib/server/api.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { InvitationDialog, type MadeInvitation } from '../../../ui/dialog/OnceDialog.tsx';
import { accountDetailsTexts } from './accountDetailsTexts.ts';

const texts = accountDetailsTexts.invite;

export function InviteAccount({ account }: { account: Account }) {
  const [isAsked, setAsked] = useState(false);
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const { dialog } = useConfirmCall(isAsked ? account : null, {
    send: async ({ _id: accountId, username: of }) => ({
      of,
      ...(await call(inviteAccount, { params: { accountId } })),
    }),
    onDone: setMade,
    onClose: () => setAsked(false),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconMail size={14} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {texts.label}
      </Button>
      <ConfirmDialog {...dialog} title={texts.title} confirmLabel={texts.make} confirms={inviteAccount}>
        {texts.question(account.username)}
        <Text mt="xs">{texts.consequence}</Text>
      </ConfirmDialog>
      <InvitationDialog made={made} onClose={() => setMade(null)} />
    </>
  );
}
