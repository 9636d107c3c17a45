import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from './api.ts';
import { serverTexts } from '../libTexts.ts';

export interface ExportState {
  fileName: string;
  bytes: number;
  total: number | null;
  rows: number | null;
  error: string | null;
}

export interface Export {
  state: ExportState | null;
  start: () => void;
  cancel: () => void;
}

const PATIENCE_MS = 300;
const BEGIN = { bytes: 0, total: null, rows: null, error: null };

/** The server names the file; `name` is shown until then. Aborts when the page is left. */
export function useExport(name: string, fetchFile: (signal: AbortSignal) => Promise<Response>): Export {
  const [state, setState] = useState<ExportState | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setState(null);
  }, []);

  async function start() {
    if (running.current) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState(null);
    let shown: ExportState = { ...BEGIN, fileName: name };
    const patience = setTimeout(() => setState(shown), PATIENCE_MS);
    const show = (change: Partial<ExportState>, isPatient: boolean) => {
      shown = { ...shown, ...change };
      if (!signal.aborted) setState((now) => (isPatient && now === null ? null : shown));
    };
    try {
      const response = await fetchFile(signal);
      const fileName = fileNameOf(response) ?? name;
      show({ fileName, rows: Number(response.headers.get('X-Total-Rows') ?? '') || null }, true);
      saveFile(await readFile(response, (progress) => show(progress, true)), fileName);
      if (signal.aborted) return;
      setState(null);
      notifications.show({ message: serverTexts.isSaved(fileName) });
    } catch (error) {
      show({ error: errorMessage(error) }, false);
    } finally {
      clearTimeout(patience);
      if (running.current === controller) running.current = null;
    }
  }

  return { state, start: () => void start(), cancel };
}

interface FileProgress {
  bytes: number;
  total: number | null;
}

/** The browser must have fetched the file. */
const KEEP_LINK_MS = 10_000;

async function readFile(response: Response, onProgress: (progress: FileProgress) => void): Promise<Blob> {
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

function fileNameOf(response: Response): string | null {
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
