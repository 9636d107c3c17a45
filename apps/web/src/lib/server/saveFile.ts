/** `total`: if the server announced it. */
export interface FileProgress {
  bytes: number;
  total: number | null;
}

/** The browser must have fetched the file. */
const KEEP_LINK_MS = 10_000;

/** Throws if the connection breaks. */
export async function readFile(response: Response, onProgress: (progress: FileProgress) => void): Promise<Blob> {
  const length = Number(response.headers.get('Content-Length'));
  const isPacked = response.headers.get('Content-Encoding') !== null;
  const total = length > 0 && !isPacked ? length : null;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    pieces.push(step.value);
    bytes += step.value.byteLength;
    onProgress({ bytes, total });
  }
  return new Blob(pieces, { type: response.headers.get('Content-Type') ?? '' });
}

export function fileNameOf(response: Response): string | null {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
}

export function saveFile(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_LINK_MS);
}
