import { inflateSync } from 'node:zlib';

/**
 * Texts of a PDF that Chromium printed, one per page, with a space between runs of glyphs. Reads only what Skia writes:
 * objects outside of object streams, deflated streams and fonts with a ToUnicode map.
 */
export function pdfPages(pdf: Buffer): string[] {
  const objects = readObjects(pdf.toString('latin1'));
  const root = [...objects.values()].find(({ dict }) => /\/Type\s*\/Catalog/.test(dict));
  return pagesBelow(objects, referenceIn(root!.dict, 'Pages')!).map((page) =>
    textOf(objects, page.dict, objects.get(referenceIn(page.dict, 'Contents')!)!.stream())
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

interface PdfObject {
  readonly dict: string;
  readonly stream: () => string;
}
type Objects = ReadonlyMap<number, PdfObject>;

function readObjects(file: string): Objects {
  const found = new Map<number, PdfObject>();
  for (const match of file.matchAll(/^(\d+) 0 obj\s/gm)) {
    const start = match.index + match[0].length;
    const end = file.indexOf('endobj', start);
    const streamAt = file.indexOf('stream\n', start);
    const hasStream = streamAt !== -1 && streamAt < end;
    const dict = file.slice(start, hasStream ? streamAt : end);
    const from = streamAt + 'stream\n'.length;
    const bytes = () => Buffer.from(file.slice(from, from + Number(/\/Length (\d+)/.exec(dict)![1])), 'latin1');
    found.set(Number(match[1]), {
      dict,
      stream: () => (dict.includes('/FlateDecode') ? inflateSync(bytes()) : bytes()).toString('latin1'),
    });
  }
  return found;
}

function referenceIn(dict: string, name: string): number | undefined {
  const found = new RegExp(`/${name}\\s+(\\d+) 0 R`).exec(dict);
  return found ? Number(found[1]) : undefined;
}

function pagesBelow(objects: Objects, number: number): PdfObject[] {
  const node = objects.get(number)!;
  const kids = /\/Kids\s*\[([^\]]*)\]/.exec(node.dict)?.[1];
  if (kids === undefined) return [node];
  return [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => pagesBelow(objects, Number(kid)));
}

const OPERATORS = /\/(\w+) [\d.]+ Tf|\/(\w+) Do|<([\da-f]+)>|\(((?:\\.|[^\\)])*)\)|\b(ET)\b/gi;

function textOf(objects: Objects, owner: string, content: string): string {
  const resources = referenceIn(owner, 'Resources');
  const dict = resources === undefined ? owner : objects.get(resources)!.dict;
  let font: ReadonlyMap<number, string> = new Map();
  let width = 2;
  let text = '';
  for (const [, fontName, formName, hex, literal, ends] of content.matchAll(OPERATORS)) {
    if (fontName !== undefined) {
      const map = referenceIn(objects.get(referenceIn(dict, fontName)!)!.dict, 'ToUnicode');
      const cmap = map === undefined ? '' : objects.get(map)!.stream();
      font = readMap(cmap);
      width = /begincodespacerange\s*<[\da-f]{2}>/i.test(cmap) ? 1 : 2;
    } else if (formName !== undefined) {
      const form = objects.get(referenceIn(dict, formName) ?? -1);
      if (form?.dict.includes('/Form')) text += textOf(objects, form.dict, form.stream());
    } else if (hex !== undefined || literal !== undefined) {
      const bytes = hex === undefined ? unescaped(literal!) : Buffer.from(hex, 'hex');
      for (let at = 0; at < bytes.length; at += width) text += font.get(bytes.readUIntBE(at, width)) ?? '';
    } else if (ends !== undefined) text += '\n';
  }
  return text;
}

function unescaped(literal: string): Buffer {
  const plain = literal.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
  return Buffer.from(plain, 'latin1');
}

/** Glyph codes and their letters. */
function readMap(cmap: string): ReadonlyMap<number, string> {
  const map = new Map<number, string>();
  const lettersOf = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, body] of cmap.matchAll(/beginbfchar([^]*?)endbfchar/g)) {
    for (const [, code, letters] of body!.matchAll(/<([\da-f]+)>\s*<([\da-f]+)>/gi))
      map.set(Number.parseInt(code!, 16), lettersOf(letters!));
  }
  for (const [, body] of cmap.matchAll(/beginbfrange([^]*?)endbfrange/g)) {
    for (const [, first, last, letter] of body!.matchAll(/<([\da-f]+)>\s*<([\da-f]+)>\s*<([\da-f]+)>/gi)) {
      const start = Number.parseInt(first!, 16);
      for (let code = start; code <= Number.parseInt(last!, 16); code += 1)
        map.set(code, String.fromCodePoint(Number.parseInt(letter!, 16) + code - start));
    }
  }
  return map;
}
