import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import classes from './Factors.module.css';
import { factorTexts } from './factorTexts.ts';

const texts = factorTexts.codes;

interface CodesDialogProps {
  codes: readonly string[] | null;
  onClose: () => void;
}

/** The codes are shown once, so only its button closes it. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const [shown, setShown] = useState(codes);
  if (codes && codes !== shown) setShown(codes);
  return (
    <Dialog
      opened={codes !== null}
      onClose={onClose}
      title={texts.title}
      centered
      size="md"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Text component="output">{texts.once}</Text>
        <ul className={classes.codes} aria-label={texts.list}>
          {shown?.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={shown?.join('\n') ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-autofocus>
                {copied ? texts.copied : texts.copy}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{texts.stored}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
