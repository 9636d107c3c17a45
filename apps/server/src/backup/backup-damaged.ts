/** The message explains the problem to the caller. */
export class BackupDamaged extends Error {}
