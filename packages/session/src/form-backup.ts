export interface FormPlace {
  readonly userId: string;
  readonly path: string;
  readonly fields: readonly string[];
}

interface KeptForm {
  readonly place: FormPlace;
  readonly values: Readonly<Record<string, unknown>>;
}

const KEY = 'keptForms';

/** Keeps form input until the same account signs in again in this tab. Excludes passwords and files. */
export function saveForm(storage: Storage, place: FormPlace, values: object): void {
  const typed = Object.entries(values).filter(([name, value]) => !/pass/i.test(name) && isPlain(value));
  const others = readForms(storage).filter((kept) => !isSame(kept.place, place));
  storage.setItem(KEY, JSON.stringify([...others, { place, values: Object.fromEntries(typed) }] satisfies KeptForm[]));
}

/** Returns kept input once. Discards other accounts' input. */
export function restoreForm(storage: Storage, place: FormPlace): KeptForm['values'] | null {
  const own = readForms(storage).filter((kept) => kept.place.userId === place.userId);
  const rest = own.filter((kept) => !isSame(kept.place, place));
  if (rest.length === 0) storage.removeItem(KEY);
  else storage.setItem(KEY, JSON.stringify(rest));
  return own.find((kept) => isSame(kept.place, place))?.values ?? null;
}

function readForms(storage: Storage): KeptForm[] {
  try {
    return JSON.parse(storage.getItem(KEY) ?? '[]') as KeptForm[];
  } catch {
    return [];
  }
}

function isSame(one: FormPlace, other: FormPlace): boolean {
  return (
    JSON.stringify([one.userId, one.path, one.fields]) === JSON.stringify([other.userId, other.path, other.fields])
  );
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isPlain) : ['string', 'number', 'boolean'].includes(typeof value);
}
