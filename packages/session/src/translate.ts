/**
 * Keys are whole texts, and `{}` stands for any part; parts fill the `{}` of the translation in order, or `{2}` by
 * number, themselves translated. More exact keys come first. Undefined without a match.
 */
export function translatorOf(templates: Readonly<Record<string, string>>): (english: string) => string | undefined {
  const whole = new Map(Object.entries(templates).filter(([key]) => !key.includes('{}')));
  const open = Object.entries(templates)
    .filter(([key]) => key.includes('{}'))
    .toSorted(([one], [other]) => literalLength(other) - literalLength(one))
    .map(([key, text]) => ({ pattern: patternOf(key), text }));
  const known = new Map<string, string | undefined>();
  const translate = (english: string): string | undefined => {
    if (known.has(english)) return known.get(english);
    const text = whole.get(english) ?? filled(english);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(english, text);
    return text;
  };
  const filled = (english: string): string | undefined => {
    // Boards have thousands of numbers, which need no translation.
    if (!/[A-Za-z]{2}/.test(english)) return undefined;
    for (const { pattern, text } of open) {
      const parts = pattern.exec(english)?.slice(1);
      if (!parts) continue;
      let next = 0;
      return text.replaceAll(/\{(\d?)\}/g, (_, nth: string) => {
        const part = parts[nth === '' ? next++ : Number(nth) - 1] ?? '';
        return translate(part) ?? part;
      });
    }
    return undefined;
  };
  return translate;
}

const MOST_KNOWN = 5000;

const literalLength = (key: string): number => key.replaceAll('{}', '').length;

function patternOf(key: string): RegExp {
  const literals = key.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('(.+?)')}$`, 's');
}
