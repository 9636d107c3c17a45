/** A backup that is not what it should be, or can't be restored here, in a sentence of what is wrong with it. */
export class BackupDamaged extends Error {}
