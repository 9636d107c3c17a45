/** Example: `kind in ${inKinds(TRANSFER_KINDS, 'stake', 'win')}`. */
export function inKinds<K extends string>(kinds: Readonly<Record<K, number>>, ...names: K[]): string {
  return `(${names.map((name) => kinds[name]).join(', ')})`;
}

export function kindName(kinds: Readonly<Record<string, number>>, column: string): string {
  const names = Object.entries(kinds).map(([name, number]) => `when ${number} then '${name}'`);
  return `case ${column} ${names.join(' ')} else 'kind ' || ${column} end`;
}
