import type { NetworkWorkState } from '@drawhouse/contract/network-work/work';
import { Alert } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatDateTime } from '../../lib/format.ts';
import classes from './BackupsPage.module.css';
import { keep, kept, subscribeKept } from '../../lib/kept.ts';
import { RequestId } from '../../lib/RequestId.tsx';
import { backupTexts } from './backupTexts.ts';
import type { Trouble } from './useBackupActs.ts';

interface BackupTroubleProps {
  /** What failed here. */
  trouble: Trouble | null;
  /** The latest work: where it failed, that is said after a reload too, and in every tab. */
  work: NetworkWorkState | null | undefined;
  onClose: () => void;
}

/** Under which this device keeps of which failure its reader knows: when that began. */
const READ = 'backup-trouble-read';

/** Why something came to nothing, until it is put away or something else is begun. */
export function BackupTrouble({ trouble, work, onClose }: BackupTroubleProps) {
  const read = useSyncExternalStore(subscribeKept, () => kept(READ));
  const shown = trouble ?? (work && work.startedAt !== read ? failureOf(work) : null);
  if (!shown) return null;
  return (
    <Alert
      className={classes.trouble}
      color="red"
      variant="light"
      role="alert"
      title={shown.title}
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => {
        if (work) keep(READ, work.startedAt);
        onClose();
      }}
    >
      {shown.text}
      <RequestId said={shown.text ?? shown.title} />
    </Alert>
  );
}

function failureOf({ kind, by, finishedAt, failure }: NetworkWorkState): Trouble | null {
  if (failure === null || finishedAt === null) return null;
  const { failed } = backupTexts.failures[kind];
  return { title: failed, text: `${failure} (${by}, ${formatDateTime(finishedAt)})` };
}
