/** Thrown for a damaged backup, or one that cannot be restored here. The message is for the caller. */
export class BackupDamaged extends Error {}
