import { once } from 'node:events';
import { readConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/platform/log/create-logger.ts';
import { runDueWork, serve } from '../../src/compose/serve.ts';
import { PATIENT } from '../busy-machine.ts';

export type HostRequest = { readonly id: number } & (
  | { readonly env: Readonly<Record<string, string>>; readonly opensDraws: boolean }
  | { readonly stop: number }
);

export interface HostAnswer {
  readonly id: number;
  readonly url?: string;
  readonly error?: string;
}

interface Hosted {
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

const running = new Map<number, Hosted>();

async function start(id: number, env: Readonly<Record<string, string>>, opensDraws: boolean): Promise<string> {
  const config = readConfig({ ...process.env, ...env });
  const { databaseUrl: serverUrl, databaseOwnerUrl: ownerUrl = serverUrl } = config;
  if (serverUrl === undefined) throw new Error('A hosted server needs DATABASE_URL.');
  const { logger } = createLogger({ logLevel: 'error' }, process.stderr);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const say = (text: string): void => resolve(/is ready: (\S+)/.exec(text)![1]!);
  const ended = serve(
    { config, database: { ownerUrl: ownerUrl!, serverUrl }, logger, say, isFirst: true, connection: PATIENT },
    async (app) => {
      await (opensDraws ? runDueWork(app, logger, signal) : once(signal, 'abort'));
    },
  );
  ended.catch(reject);
  const url = await ready;
  running.set(id, { stopping, ended });
  return url;
}

async function stop(id: number): Promise<void> {
  const hosted = running.get(id)!;
  running.delete(id);
  hosted.stopping.abort();
  await hosted.ended;
}

async function answer(request: HostRequest): Promise<HostAnswer> {
  const { id } = request;
  try {
    if ('env' in request) return { id, url: await start(id, request.env, request.opensDraws) };
    await stop(request.stop);
    return { id };
  } catch (error) {
    return { id, error: (error as Error).stack ?? String(error) };
  }
}

process.on('message', (request: HostRequest) => void answer(request).then((answered) => process.send!(answered)));
process.once('disconnect', () => process.exit());
// On interrupt, workers stop their servers first.
process.on('SIGINT', () => {});
