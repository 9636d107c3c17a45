export function hashOf(root: string, names: readonly string[]): string;

export function readStamp(file: string): string | undefined;
