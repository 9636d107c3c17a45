export const slipPrefix = (accountId: string): string => `slip/${accountId}/`;

/** Call this at sign-out: another person may follow on this device. */
export function dropSlips(storage: Pick<Storage, 'key' | 'length' | 'removeItem'>, accountId: string): void {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const name of names) if (name.startsWith(slipPrefix(accountId))) storage.removeItem(name);
}
