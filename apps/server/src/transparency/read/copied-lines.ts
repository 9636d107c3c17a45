const NEWLINE = 0x0a;

export class CopiedLines {
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer, each: (bytes: Buffer, from: number, end: number) => void): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      each(bytes, from, end + 1);
      from = end + 1;
    }
    this.#rest = bytes.subarray(from);
  }
}
