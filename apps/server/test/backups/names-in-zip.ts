import { open } from 'yauzl';

export function namesInZip(file: string): Promise<string[]> {
  return new Promise((give, fail) => {
    open(file, (error, zip) => {
      if (error) return fail(error);
      const names: string[] = [];
      zip.on('entry', ({ fileName }) => void names.push(fileName));
      zip.once('error', fail);
      zip.once('end', () => give(names));
    });
  });
}
