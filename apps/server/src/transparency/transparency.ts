import { fairSeals, type SealGrade } from '@drawhouse/contract/seals/seals';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Check } from '../audit/audit-check.ts';
import type { Clock } from '../platform/time/clock.ts';
import { copySnapshot, type Copier } from '../platform/db/sql/copy-rows.ts';
import type { Database } from '../platform/db/database.ts';
import { handle, type Caller } from '../platform/http/handler.ts';
import type { SealSettings } from '../config/outside-services.ts';
import { auditSeals, continuesFrom, findingsToRecord } from './verify/audit-seals.ts';
import type { EarlierFindings } from './seal/log-beginning.ts';
import type { SealsToAudit } from './seal/seal-heads.ts';
import { withoutPruning } from './prune/prune-cleared.ts';
import type { Peer, Services } from '../platform/services.ts';
import type { AskCell, CellRead } from '../cells/call-cell.ts';
import { proveTicket, type SealedTicket, type TicketToProve } from './prove/prove-ticket.ts';
import { ensureSealKey, findSealKey, logName, type SealKeySettings } from './seal/seal-key.ts';
import { isForged, readGrade } from './seal/seal-grade.ts';
import { readProgress } from './seal/seal-progress.ts';
import { watchCheckpoints } from './seal/run/watch-checkpoints.ts';
import { watchForStall } from './seal/run/seal-stall.ts';
import { startSealing, type Sealing } from './seal/run/sealing-thread.ts';
import { serveSeals, type ServedSeals } from './prove/serve-seals.ts';

const NO_KEY_BYTES = 32;

export interface Seals {
  readonly served: ServedSeals;
  readonly newest: () => string | undefined;
  /** PostgreSQL snapshot: all rows it shows are sealed; undefined before the first. */
  readonly sealedUpTo: () => Promise<string | undefined>;
  readonly grade: () => Promise<SealGrade | null>;
  readonly isForged: () => Promise<boolean>;
  readonly sign: (text: Uint8Array) => Uint8Array;
  start(): void;
  look(): Promise<void>;
  trouble(): string | undefined;
  unlogged(): number;
  stop(): Promise<void>;
}

/** `start` begins sealing and cosigning, in a thread. */
export async function seal(
  config: SealSettings & SealKeySettings,
  db: Database,
  { address, logger, clock }: { readonly address: () => string; readonly logger: Logger; readonly clock: Clock },
): Promise<Seals> {
  const { sealDir: dir, sealWitnesses: witnesses } = config;
  const { signer, privateKey } = await ensureSealKey(config);
  const name = logName(signer.publicKey, config.sealName);
  const nowMs = (): number => clock.now().getTime();
  const news = watchCheckpoints(db, signer.publicKey, nowMs);
  const newest = (): string | undefined => news.newest();
  const stall = watchForStall(db, newest, nowMs);
  let sealing: Sealing | undefined;
  let unlogged = 0;
  const place = { dir, name, signer };
  const trouble = (): string | undefined => sealing?.trouble() ?? stall.trouble();
  return {
    served: { place, witnesses },
    newest,
    sealedUpTo: async () => (await readProgress(db))?.snapshot,
    grade: () =>
      readGrade(db, { place, witnesses, newest, sizeToBeWitnessed: () => news.sizeToBeWitnessed(), trouble }),
    isForged: () => isForged(db, { place, newest }),
    sign: (text) => signer.sign(text),
    start() {
      sealing = startSealing({ dir, name, privateKey, witnesses }, address, {
        changed(found) {
          if (found === undefined) logger.info('commits are being sealed');
          else logger.error({ trouble: found }, 'nothing is being sealed; retrying');
        },
        unlogged(changes) {
          unlogged += changes;
          logger.error({ changes }, 'the database was changed without a log row; an audit names the change');
        },
        unpruned: (why) => logger.warn({ why }, 'the seals of cleared rows keep their records'),
        witnessed(witness, found) {
          if (found === undefined) logger.info({ witness }, 'a witness co-signs');
          else logger.warn({ witness, trouble: found }, 'a witness does not co-sign; retrying');
        },
      });
    },
    async look() {
      const before = stall.trouble();
      await stall.look();
      const now = stall.trouble();
      if (now === before) return;
      if (now === undefined) logger.info('pending rows are sealed');
      else logger.error({ trouble: now }, 'nothing is being sealed');
    },
    trouble,
    unlogged: () => unlogged,
    async stop() {
      await sealing?.stop();
      await news.close();
    },
  };
}

/** Routes: logs under `/seals` with cosigning, the public grade, and ticket proofs. */
export function prove<A extends Caller>(
  services: Pick<Services, 'db' | 'directory'>,
  seals: Pick<Seals, 'served' | 'newest' | 'grade'> | undefined,
) {
  return {
    serve: async (app: FastifyInstance): Promise<void> => seals && serveSeals(seals.served, app, services),
    routes: [handle<A, typeof fairSeals>(fairSeals, async () => ({ seals: (await seals?.grade()) ?? null }))],
    newestSeal: (): string | undefined => seals?.newest(),
    proveTicket: async (ticket: TicketToProve): Promise<SealedTicket | undefined> =>
      seals && proveTicket(services.db, seals.served, ticket),
  };
}

const CONTINUES = 'seals/continues';

/** Rows of a moved network are sealed in the log of their earlier cell too. Asks whether that still has its tree. */
export async function askSeals(askCell: AskCell, peer: Peer, checkpoint: string): Promise<boolean | undefined> {
  const read = { path: CONTINUES, params: { checkpoint }, query: {}, caller: '', permissions: [] };
  const { isIntact } = (await askCell(peer, read)) as { readonly isIntact: boolean | null };
  return isIntact ?? undefined;
}

/** Undefined for other calls of cells. */
export function answerSeals(
  seals: Pick<Seals, 'served'> | undefined,
  { path, params }: CellRead,
): Promise<object> | undefined {
  if (path !== CONTINUES) return undefined;
  return (async () => {
    if (!seals) return { isIntact: null };
    const { dir, name, signer } = seals.served.place;
    const own = { dir, name, publicKey: signer.publicKey, witnesses: [] };
    return { isIntact: (await continuesFrom(own, params['checkpoint']!)) ?? null };
  })();
}

export async function continuesHere(
  config: SealSettings & SealKeySettings,
  checkpoint: string,
): Promise<boolean | undefined> {
  return continuesFrom(await sealsToAudit(config), checkpoint);
}

export async function verify(config: SealSettings & SealKeySettings, address: string): Promise<Check[]> {
  const seals = await sealsToAudit(config);
  return withoutPruning(address, () => auditSeals(seals, (read) => inSnapshot(address, read)));
}

async function inSnapshot<T>(address: string, read: (on: Copier) => Promise<T>): Promise<T> {
  return copySnapshot(address, 1, new AbortController().signal, ([on]) => read(on!));
}

/** Findings that the next log records. */
export async function auditToBegin(config: SealSettings & SealKeySettings, address: string): Promise<EarlierFindings> {
  return findingsToRecord(await verify(config, address));
}

async function sealsToAudit(config: SealSettings & SealKeySettings): Promise<SealsToAudit> {
  const key = await findSealKey(config);
  // No signature matches a zero key.
  const publicKey = key?.signer.publicKey ?? new Uint8Array(NO_KEY_BYTES);
  return {
    dir: config.sealDir,
    name: logName(publicKey, config.sealName),
    publicKey,
    witnesses: config.sealWitnesses.map((witness) => witness.key),
  };
}
