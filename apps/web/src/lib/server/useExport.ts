import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from './api.ts';
import { fileNameOf, readFile, saveFile } from './saveFile.ts';
import { serverTexts } from '../libTexts.ts';

export interface ExportState {
  fileName: string;
  bytes: number;
  total: number | null;
  /** Null if unknown. */
  rows: number | null;
  error: string | null;
}

export interface Export {
  /** Null while idle. */
  state: ExportState | null;
  start: () => void;
  /** Stops the download or dismisses the error. */
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
