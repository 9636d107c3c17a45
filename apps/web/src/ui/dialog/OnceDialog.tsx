import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { dialogTexts } from './dialogTexts.ts';

interface ShownOnceProps {
  meaning: string;
  /** Copied by its button. */
  value: string;
  /** Label of the button that closes it. */
  done: string;
  onClose: () => void;
  action?: ReactNode;
  children: ReactNode;
}

/** A secret that is not shown again, with a button to copy it. */
export function ShownOnce({ meaning, value, done, onClose, action, children }: ShownOnceProps) {
  return (
    <Stack gap="md">
      <Text component="output">{meaning}</Text>
      {children}
      <Group justify="flex-end" gap="xs">
        {action}
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} data-autofocus>
              {copied ? dialogTexts.copied : dialogTexts.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{done}</Button>
      </Group>
    </Stack>
  );
}

/** Only its button closes it. */
export function OnceDialog({ opened, title, ...secret }: ShownOnceProps & { opened: boolean; title: string }) {
  return (
    <Dialog
      opened={opened}
      onClose={secret.onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <ShownOnce {...secret} />
    </Dialog>
  );
}
