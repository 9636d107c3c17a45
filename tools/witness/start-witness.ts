import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { OWN_FOLDER } from '../../apps/server/src/db/durable-file.ts';
import { lockFolder } from './folder-lock.ts';
import { LogWatcher } from './log-watcher.ts';
import type { Look } from './log-watcher.ts';
import { newLogsOf } from './new-logs.ts';
import { sealsClient } from './seals-client.ts';
import { WitnessBook } from './witness-book.ts';
import { EvidenceBook } from './witness-evidence.ts';
import { createWitnessServer } from './witness-http.ts';
import { ensureWitness } from './witness-identity.ts';
import type { WitnessIdentity } from './witness-identity.ts';
import { originOf } from '@drawhouse/tlog/log-origins';
import { readWitnessedLog } from './witnessed-log.ts';
import type { WitnessedLog } from './witnessed-log.ts';

/** How a witness is started. */
export type WitnessOptions = {
  /** The address of the server, such as `https://example.org`. */
  readonly of: string;
  /** The verifier key of one of its logs, as `/seals/key` tells it. */
  readonly key: string;
  /** Its folder, made where there is none. */
  readonly dir: string;
  /** Its name at the first start; undefined takes one that follows from its key. */
  readonly name: string | undefined;
  /** Where it serves `add-checkpoint`; undefined: nowhere. Port 0 takes one that is free. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** The number of a new log that a person accepts, knowing why it was begun. */
  readonly accepted?: number | undefined;
  /** Hears what a person is to know at once, as a sentence. */
  readonly say: (sentence: string) => void;
  /** Told what its own folder or machine did wrong while it answered a call. */
  readonly failed: (error: Error) => void;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
};

/** A witness that runs. */
export type RunningWitness = {
  readonly identity: WitnessIdentity;
  /** Where it serves `add-checkpoint`. */
  readonly url: string | undefined;
  /** Where evidence is kept, and how many lines of it are alarms, found now or before. */
  readonly evidence: EvidenceBook;
  /** Looks at the log once. */
  look(): Promise<Look>;
  close(): Promise<void>;
};

/** Starts a witness on its folder. Throws a sentence where another one runs there, or what it keeps is damaged. */
export async function startWitness(options: WitnessOptions): Promise<RunningWitness> {
  const { dir, say, now } = options;
  const log = readWitnessedLog(options.key);
  await mkdir(dir, { recursive: true, mode: OWN_FOLDER });
  const lock = await lockFolder(dir);
  let server: Server | undefined;
  try {
    const identity = await ensureWitness(dir, options.name);
    const evidence = await EvidenceBook.open(dir, say);
    await accept(options, log, evidence);
    const newLogs = newLogsOf({ log, evidence, say, now });
    const book = await WitnessBook.open(dir, { log, witness: identity, newLogs, now });
    const client = sealsClient(options.of);
    const watcher = new LogWatcher({ log, client, book, evidence, say, now });
    if (options.listen) {
      server = createWitnessServer(
        { log, book, evidence, leave: watcher.leave.bind(watcher), prove: watcher.prove.bind(watcher), say, now },
        options.failed,
      );
      await listening(server, options.listen);
    }
    return {
      identity,
      url: server && urlOf(server, options.listen!.host),
      evidence,
      look: () => watcher.look(),
      async close() {
        await closed(server);
        await lock.release();
      },
    };
  } catch (error) {
    await closed(server);
    await lock.release();
    throw error;
  }
}

/** Keeps that a person has accepted a new log. Throws a sentence where this witness has noticed none of that number. */
async function accept({ accepted, now }: WitnessOptions, log: WitnessedLog, evidence: EvidenceBook): Promise<void> {
  if (accepted === undefined) return;
  const origin = originOf(log.name, accepted);
  if (!(await evidence.accept(origin, new Date(now()).toISOString())))
    throw new Error(`--accept is ${accepted}, but this witness has noticed no new log ${origin}.`);
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail).listen(at, () => done());
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function closed(server: Server | undefined): Promise<void> {
  if (!server?.listening) return;
  await new Promise<void>((done) => {
    server.close(() => done());
    server.closeIdleConnections();
  });
}
