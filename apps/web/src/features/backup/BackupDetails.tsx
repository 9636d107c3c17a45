import type { Backup } from '@drawhouse/contract/backup/backups';
import { List, Text } from '@mantine/core';
import classes from './BackupsPage.module.css';
import { backupTexts } from './backupTexts.ts';

/** What the state of a backup means, and what is wrong with it: in the sheet of its row. */
export function BackupDetails({ backup }: { backup: Backup }) {
  const { state, problems, checkedAt, isEncrypted, isEvidence } = backup;
  return (
    <div className={classes.details}>
      <Text size="sm">{backupTexts.meaning[state]}</Text>
      {problems.length > 0 && (
        <List size="sm" className={classes.problems}>
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      {state === 'whole' && (
        <Text size="sm">{checkedAt === null ? backupTexts.unchecked : backupTexts.checkedRight(checkedAt)}</Text>
      )}
      {isEvidence && <Text size="sm">{backupTexts.evidence}</Text>}
      {isEncrypted !== null && <Text size="sm">{isEncrypted ? backupTexts.encrypted : backupTexts.notEncrypted}</Text>}
    </div>
  );
}
