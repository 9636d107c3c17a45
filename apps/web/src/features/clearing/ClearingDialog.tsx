import type { ClearingState, Counted } from '@drawhouse/contract/clearing/clearing';
import { Button, Group, Text } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { WorkProgress } from '../../ui/WorkProgress.tsx';
import { ClearedTable } from './ClearedTable.tsx';
import { clearingTexts as texts } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';

interface ClearingDialogProps {
  /** What of the choice goes and stays; undefined before anything was asked. */
  counted: Counted | undefined;
  /** How far it has come, once it was confirmed. */
  progress: ClearingState['running'];
  opened: boolean;
  busy: boolean;
  error: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says what goes and what stays, and asks once. */
export function ClearingDialog({ counted, progress, opened, busy, error, onConfirm, onClose }: ClearingDialogProps) {
  if (!counted) return null;
  const { days, daysLeft, models } = counted;
  const isNothing = days === null || models.every(({ rows }) => rows === 0);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={days === null || isNothing ? texts.nothing : texts.question(days)}
      centered
      size="lg"
    >
      {daysLeft !== null && <Text className={classes.daysLeft}>{daysLeft}</Text>}
      {models.length > 0 && <ClearedTable models={models} of={texts.heads.rows} />}
      {!isNothing && <Text className={classes.note}>{texts.noReturn}</Text>}
      {progress?.kind === 'clearing' && (
        <div className={classes.note}>
          <WorkProgress work={progress} />
        </div>
      )}
      {error !== null && (
        <Text role="alert" c="var(--dh-loss)" mt="sm">
          {error}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus disabled={busy}>
          {isNothing ? 'Close' : 'Cancel'}
        </Button>
        {!isNothing && (
          <Button color="red" loading={busy} onClick={onConfirm}>
            {texts.confirm}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
