export interface FormKey {
  readonly userId: string;
  readonly path: string;
  readonly fields: readonly string[];
}

interface SavedForm {
  readonly key: FormKey;
  readonly values: Readonly<Record<string, unknown>>;
}

const KEY = 'keptForms';

/** Keeps input until the same account signs in again in this tab. Excludes passwords and files. */
export function saveForm(storage: Storage, key: FormKey, values: object): void {
  const typed = Object.entries(values).filter(([name, value]) => !/pass/i.test(name) && isPlain(value));
  const others = readForms(storage).filter((saved) => !isSame(saved.key, key));
  storage.setItem(KEY, JSON.stringify([...others, { key, values: Object.fromEntries(typed) }] satisfies SavedForm[]));
}

/** Returns input once. Discards that of other accounts. */
export function restoreForm(storage: Storage, key: FormKey): SavedForm['values'] | null {
  const own = readForms(storage).filter((saved) => saved.key.userId === key.userId);
  const rest = own.filter((saved) => !isSame(saved.key, key));
  if (rest.length === 0) storage.removeItem(KEY);
  else storage.setItem(KEY, JSON.stringify(rest));
  return own.find((saved) => isSame(saved.key, key))?.values ?? null;
}

function readForms(storage: Storage): SavedForm[] {
  try {
    return JSON.parse(storage.getItem(KEY) ?? '[]') as SavedForm[];
  } catch {
    return [];
  }
}

function isSame(one: FormKey, other: FormKey): boolean {
  return (
    JSON.stringify([one.userId, one.path, one.fields]) === JSON.stringify([other.userId, other.path, other.fields])
  );
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isPlain) : ['string', 'number', 'boolean'].includes(typeof value);
}
