import { join } from 'node:path';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import { originOf } from '@drawhouse/tlog/checkpoints';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { fairSeals, type SealGrade } from '@drawhouse/contract/seals/seals';
import type { FastifyInstance } from 'fastify';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Logger } from 'pino';
import type { Check } from '../audit/audit-check.ts';
import type { Clock } from '../platform/time/clock.ts';
import { acquireNamedLock } from '../platform/db/connection/hold-lock.ts';
import { withDedicatedConnections } from '../platform/db/connection/dedicated-connections.ts';
import { copierOn, copySnapshot, type Copier } from '../platform/db/sql/copy-rows.ts';
import type { Database } from '../platform/db/database.ts';
import { handle, type Caller } from '../platform/http/handler.ts';
import type { SealSettings } from '../config/outside-services.ts';
import type { EarlierFindings } from './seal/log-beginning.ts';
import { openNewestLog, type SealsPlace } from './seal/open-newest-log.ts';
import { sealOnce, SEALS } from './seal/run/run-sealing.ts';
import { Sealer } from './seal/run/sealer.ts';
import { logsIn, readCheckpoint } from './seal/seal-log.ts';
import { auditSeals, continuesFrom, findingsToRecord } from './verify/audit-seals.ts';
import { readCosigned, type Cosigned } from './witness/co-sign.ts';
import type { SealsToAudit } from './seal/seal-heads.ts';
import { withoutPruning } from './prune/prune-cleared.ts';
import type { Peer, Services } from '../platform/services.ts';
import type { AskCell, CellRead } from '../cells/call-cell.ts';
import { proveTicket, type SealedTicket, type TicketToProve } from './prove/prove-ticket.ts';
import { ensureSealKey, findSealKey, logName, verifierKey, type SealKeySettings } from './seal/seal-key.ts';
import { findNotices, isForged, readGrade } from './seal/seal-grade.ts';
import { readProgress } from './seal/seal-progress.ts';
import { watchCheckpoints } from './seal/run/watch-checkpoints.ts';
import { watchForStall } from './seal/run/seal-stall.ts';
import { startSealing, type Sealing } from './seal/run/sealing-thread.ts';
import { serveSeals, type ServedSeals } from './prove/serve-seals.ts';
import { SEAL_TEXTS } from './transparency-texts.ts';

export { examine, findServedKey, hasSealer, type ExaminedSeals } from './examine.ts';
export { findSealKey } from './seal/seal-key.ts';
export { readProgress } from './seal/seal-progress.ts';

const NO_KEY_BYTES = 32;

export interface Seals {
  readonly served: ServedSeals;
  readonly newest: () => string | undefined;
  /** PostgreSQL snapshot: all rows it shows are sealed; undefined before the first. */
  readonly sealedUpTo: () => Promise<string | undefined>;
  readonly grade: () => Promise<SealGrade | null>;
  readonly notices: () => Promise<FoundNotice[]>;
  readonly privateKey: Uint8Array;
  start(): void;
  /** Notices stopped sealing; call every ten seconds. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** `start` begins sealing and cosigning, in a thread. */
export async function seal(
  config: SealSettings & SealKeySettings,
  db: Database,
  { address, logger, clock }: { readonly address: () => string; readonly logger: Logger; readonly clock: Clock },
): Promise<Seals> {
  const { sealDir: dir, sealWitnesses: witnesses } = config;
  const { place, privateKey } = await placeOf(config);
  const { name, signer } = place;
  const nowMs = (): number => clock.now().getTime();
  const news = watchCheckpoints(db, signer.publicKey, nowMs);
  const newest = (): string | undefined => news.newest();
  const stall = watchForStall(db, newest, nowMs);
  let sealing: Sealing | undefined;
  let unlogged = 0;
  const trouble = (): string | undefined => sealing?.trouble() ?? stall.trouble();
  const grade = (): Promise<SealGrade | null> =>
    readGrade(db, { place, witnesses, newest, sizeToBeWitnessed: () => news.sizeToBeWitnessed(), trouble });
  return {
    served: { place, witnesses },
    newest,
    sealedUpTo: async () => (await readProgress(db))?.snapshot,
    grade,
    async notices() {
      const stopped = trouble();
      return [
        ...(stopped === undefined ? [] : [{ code: 'SEALS_STOPPED', detail: stopped } as const]),
        ...(unlogged === 0 ? [] : [{ code: 'CHANGED_UNLOGGED', detail: SEAL_TEXTS.unlogged(unlogged) } as const]),
        ...(await findNotices({ isForged: () => isForged(db, { place, newest }), grade })),
      ];
    },
    privateKey,
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

interface KeptLog {
  readonly key: string;
  readonly checkpoint: string | undefined;
  readonly cosigned: readonly Cosigned[];
}

export async function readLogs(config: SealSettings & SealKeySettings): Promise<KeptLog[]> {
  const { dir, name, signer } = (await placeOf(config)).place;
  return Promise.all(
    (await logsIn(dir)).map(async (nth) => {
      const folder = join(dir, String(nth));
      return {
        key: formatNoteKey(verifierKey(originOf(name, nth), signer.publicKey)),
        checkpoint: await readCheckpoint(folder),
        cosigned: await readCosigned(folder, config.sealWitnesses),
      };
    }),
  );
}

const LOCK_WITHIN_MS = 10_000;

interface NewLog {
  readonly because: string;
  readonly audited: (findings: EarlierFindings) => void;
}

/** Audits the previous log a last time. Undefined if a server is sealing. */
export async function beginLog(
  config: SealSettings & SealKeySettings,
  address: string,
  { because, audited }: NewLog,
): Promise<{ readonly origin: string; readonly added: number } | undefined> {
  const { place } = await placeOf(config);
  // A server unable to seal takes the lock briefly every two seconds; a sealing one keeps it.
  const lock = await acquireNamedLock(address, SEALS, LOCK_WITHIN_MS);
  if (!lock) return undefined;
  try {
    const findings = findingsToRecord(await verify(config, address));
    audited(findings);
    return await withDedicatedConnections(address, 1, new AbortController().signal, async ([client]) => {
      const on = copierOn(client!);
      await on.query(TEXT_SETTINGS);
      const log = await openNewestLog(on, place, { because, ...findings });
      const { added } = await sealOnce(on, log, new Sealer(log, () => 0), lock.lost);
      return { origin: log.origin, added };
    });
  } finally {
    await lock.release();
  }
}

async function placeOf(
  config: SealSettings & SealKeySettings,
): Promise<{ readonly place: SealsPlace; readonly privateKey: Uint8Array }> {
  const { signer, privateKey } = await ensureSealKey(config);
  return { place: { dir: config.sealDir, name: logName(signer.publicKey, config.sealName), signer }, privateKey };
}

const CONTINUES = 'seals/continues';

/** Rows of a moved network are sealed in the log of their earlier cell too. Asks whether that still has its tree. */
export async function askSeals(askCell: AskCell, peer: Peer, checkpoint: string): Promise<boolean | null> {
  const read = { path: CONTINUES, params: { checkpoint }, query: {}, caller: '', permissions: [] };
  return ((await askCell(peer, read)) as { readonly isIntact: boolean | null }).isIntact;
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
    return { isIntact: await continuesFrom(own, params['checkpoint']!) };
  })();
}

export async function continuesHere(
  config: SealSettings & SealKeySettings,
  checkpoint: string,
): Promise<boolean | null> {
  return continuesFrom(await sealsToAudit(config), checkpoint);
}

export async function verify(config: SealSettings & SealKeySettings, address: string): Promise<Check[]> {
  const seals = await sealsToAudit(config);
  return withoutPruning(address, () => auditSeals(seals, (read) => inSnapshot(address, read)));
}

async function inSnapshot<T>(address: string, read: (on: Copier) => Promise<T>): Promise<T> {
  return copySnapshot(address, 1, new AbortController().signal, ([on]) => read(on!));
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
