/** One hash of the names and contents of files, and of folders with all that is in them; what is missing counts as empty. */
export function hashOf(root: string, names: readonly string[]): string;

/** The hash kept in a stamp file by the last step that succeeded, or `undefined`. */
export function readStamp(file: string): string | undefined;
