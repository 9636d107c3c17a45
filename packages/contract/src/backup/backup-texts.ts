export const BACKUP_FIELD_TEXTS = {
  folderMissing: 'Send the folder of a backup, as listed by backup/list-backups',
  wrongRenames: 'Send renames as a JSON object of old and new usernames, such as {"anita":"anita2"}',
} as const;
