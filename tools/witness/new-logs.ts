import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import type { NewLogs } from './witness-book.ts';
import type { EvidenceBook } from './witness-evidence.ts';
import { keyOf } from './witnessed-log.ts';
import type { WitnessedLog } from './witnessed-log.ts';

/** What new logs are noticed with. */
export type NoticeOptions = {
  readonly log: WitnessedLog;
  readonly evidence: EvidenceBook;
  /** Hears what a person is to know at once, as a sentence. */
  readonly say: (sentence: string) => void;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
};

/** Keeps each new log among the evidence, and says so, until a person has accepted it. */
export function newLogsOf({ log, evidence, say, now }: NoticeOptions): NewLogs {
  return {
    async notice(old, next) {
      const says = `NEW LOG: the server has begun the log ${next.origin}. The one before it, ${old.origin}, had ${old.size} records when it was cosigned last. No server does so by itself: ask whoever runs it why, then start this witness with --accept ${next.nth}.`;
      const isNew = await evidence.add({
        kind: 'new-log',
        found: new Date(now()).toISOString(),
        says,
        key: formatNoteKey(keyOf(log, next.origin)),
        kept: old.note,
        shown: next.note,
        proof: null,
      });
      if (isNew) say(`ALARM: ${says} Both signed notes are in ${evidence.file}.`);
    },
    isAccepted: (origin) => evidence.isAccepted(origin),
  };
}
