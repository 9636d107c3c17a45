/** Thrown if a backup is damaged or cannot be restored here. The message explains the problem. */
export class BackupDamaged extends Error {}
