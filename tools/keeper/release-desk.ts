import { replaceDurably } from '../../apps/server/src/db/durable-file.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { keeperReleaseText, operatorCloseText } from '@drawhouse/rules/keeper-texts';
import type {
  AnsweredQuestion,
  KnownRelease,
  ReleaseAnswer,
  ReleaseRefusal,
  SignedQuestion,
  ReleaseQuestion,
} from '@drawhouse/rules/keeper-texts';
import { dayOf } from './keeper-days.ts';
import type { KeeperDays, OpenDay } from './keeper-days.ts';
import type { EvidenceFile } from './keeper-evidence.ts';
import type { Identity } from './keeper-identity.ts';
import { signerOf, verifierOf } from './keeper-keys.ts';

/** So long a question that comes too early is kept waiting: the clock of the server may be a little ahead. */
const MOST_EARLY_MS = 2_000;
/** A question of a day that is longer ago was never asked in time: a draw lasts at most a day, and its release a minute. */
const DAYS_OPEN = 7;
/** So many days are opened for one call. */
const MOST_DAYS = 32;
/** So many signatures are checked before others have their turn. */
const SIGNATURES_AT_ONCE = 50;
const UUID7_VERSION_AT = 14;

/** What a desk works with. */
export interface DeskOptions {
  readonly dir: string;
  readonly identity: Identity;
  readonly days: KeeperDays;
  readonly evidence: EvidenceFile;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** A question to which an answer was found: it is told once the release that it tells of is on the disk. */
interface Found {
  readonly day: OpenDay;
  readonly index: number;
  readonly refused?: { readonly code: ReleaseRefusal; readonly message: string };
}

const refusal = (code: ReleaseRefusal, message: string): ReleaseAnswer => ({ code, message });

/**
 * Where seeds are released: one place of a day for one draw, its close and one root of its tickets, for ever, and one draw for one place; never before that close. All
 * that is said here is on the disk before, also what is said of another release.
 */
export class ReleaseDesk {
  readonly #options: DeskOptions;
  readonly #sign: (text: Uint8Array) => string;
  readonly #isOperators: (text: Uint8Array, signature: string) => boolean;
  readonly #isOurs: (text: Uint8Array, signature: string) => boolean;
  /** Why nothing more is released: this is an older copy. */
  #olderCopy: string | undefined;

  private constructor(options: DeskOptions, olderCopy: string | undefined) {
    this.#options = options;
    this.#olderCopy = olderCopy;
    this.#sign = signerOf(options.identity);
    this.#isOurs = verifierOf(options.identity.publicKey);
    this.#isOperators = verifierOf(options.identity.operators.at(-1)!);
  }

  /** Opens the desk of a folder, as it was left. */
  static async open(options: DeskOptions): Promise<ReleaseDesk> {
    const text = await readFile(join(options.dir, 'older-copy.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    return new ReleaseDesk(options, text === undefined ? undefined : (JSON.parse(text) as { reason: string }).reason);
  }

  /** Why nothing more is released, where this was found to be an older copy. */
  get olderCopy(): string | undefined {
    return this.#olderCopy;
  }

  /**
   * Answers questions in their order. `known` is a release that the server has of this keeper: one that is not known here shows that
   * the folder was put back to an older state, and nothing more is released for ever; it is looked at beside a question
   * that the operator signed alone. Throws RangeError where it is then not signed by this keeper;
   * rejects where the disk fails: then it must end, for what it wrote is not known any more.
   */
  async release(questions: readonly SignedQuestion[], known?: KnownRelease): Promise<ReleaseAnswer[]> {
    const signed = await this.#signed(questions);
    // What anybody could send opens no day and writes nothing.
    if (known && signed.size > 0) await this.#look(known);
    const days = await this.#daysOf([...signed]);
    await this.#waitFor([...signed]);
    // Judged without a pause between them: whoever comes later finds what is kept here.
    const found = questions.map((question) =>
      signed.has(question) ? this.#judge(question, days) : refusal('BAD_SIGNATURE', this.#badSignature),
    );
    return Promise.all(found.map(async (each, at) => ('day' in each ? this.#answer(each, questions[at]!) : each)));
  }

  /** The questions that the operator has signed. Others open no day, and are answered between others' calls. */
  async #signed(questions: readonly SignedQuestion[]): Promise<ReadonlySet<SignedQuestion>> {
    const { publicKey } = this.#options.identity;
    const signed = new Set<SignedQuestion>();
    for (const [at, question] of questions.entries()) {
      if (at % SIGNATURES_AT_ONCE === SIGNATURES_AT_ONCE - 1) await setImmediate();
      if (this.#isOperators(operatorCloseText(publicKey, question), question.operatorSignature)) signed.add(question);
    }
    return signed;
  }

  /** Waits for what closes in a moment: one question at most holds up the others of its call, which close with it. */
  async #waitFor(questions: readonly SignedQuestion[]): Promise<void> {
    const early = questions.map(({ closesAt }) => Date.parse(closesAt) - this.#options.now());
    const waitMs = Math.max(0, ...early.filter((ms) => ms <= MOST_EARLY_MS));
    // A timer may go off a millisecond early.
    if (waitMs > 0) await setTimeout(waitMs + 1);
  }

  get #badSignature(): string {
    return `operatorSignature is not that of the operator ${this.#options.identity.operators.at(-1)!} on this question.`;
  }

  /** The days that the questions are about, and those on which their draws may have been asked for. */
  async #daysOf(questions: readonly SignedQuestion[]): Promise<ReadonlyMap<string, OpenDay>> {
    const wanted = new Set<string>();
    for (const { day, drawId } of questions) for (const each of [day, ...daysAround(drawId)]) wanted.add(each);
    if (wanted.size > MOST_DAYS)
      throw new RangeError(`releases are of more than ${MOST_DAYS} days: ask in several calls.`);
    const found = new Map<string, OpenDay>();
    for (const day of wanted) {
      const opened = await this.#options.days.open(day);
      if (opened) found.set(day, opened);
    }
    return found;
  }

  #judge(question: SignedQuestion, days: ReadonlyMap<string, OpenDay>): Found | ReleaseAnswer {
    const { day: name, index, drawId, closesAt } = question;
    const now = this.#options.now();
    const day = days.get(name);
    if (!day) return refusal('NOT_PUBLISHED', `day: ${name} is none that this keeper has published.`);
    if (index >= day.stored.size)
      return refusal('NOT_PUBLISHED', `index: ${name} has ${day.stored.size} seeds, from 0 to ${day.stored.size - 1}.`);

    const kept = day.journal.find(index);
    if (kept) {
      const isSame = isSameQuestion(kept, question);
      return isSame ? { day, index } : other(day, index, 'That seed was released for another question.');
    }
    for (const each of days.values()) {
      const place = each.journal.placeOf(drawId);
      if (place !== undefined)
        return other(each, place, 'A seed was released for that draw already, at another place.');
    }
    if (this.#olderCopy !== undefined) return refusal('OLDER_COPY', this.#olderCopy);
    if (name < dayOf(now, -DAYS_OPEN)) return refusal('DAY_OVER', `day: ${name} is more than ${DAYS_OPEN} days ago.`);
    if (!daysAround(drawId).includes(name))
      return refusal(
        'BAD_DRAW_ID',
        `drawId must be a UUID of version 7 whose time is of ${name}, or of the day before or after.`,
      );
    const releasedAt = new Date(now).toISOString();
    if (now < Date.parse(closesAt))
      return refusal(
        'STILL_OPEN',
        `closesAt: betting closes at ${closesAt}, and it is ${releasedAt} here. Nothing is released before; ask again then.`,
      );
    const { day: _, ...asked } = question;
    day.journal.add({ ...asked, releasedAt });
    return { day, index };
  }

  async #answer({ day, index, refused }: Found, asked: SignedQuestion): Promise<ReleaseAnswer> {
    await day.journal.durable(index);
    const kept = this.#kept(day, index);
    const { releasedAt, signature } = kept;
    if (!refused) return { seed: day.seeds.seed(index).toString('hex'), releasedAt, signature };
    await this.#note('other-root', kept, asked);
    return { ...refused, kept };
  }

  /** A question that was answered, with both signatures. */
  #kept(day: OpenDay, index: number): AnsweredQuestion {
    const question = { day: day.stored.day, ...day.journal.find(index)! };
    const text = keeperReleaseText(this.#options.identity.name, question, question.releasedAt);
    return { ...question, signature: this.#sign(text) };
  }

  #note(
    kind: 'other-root' | 'older-copy',
    kept: AnsweredQuestion | null,
    asked: SignedQuestion | KnownRelease,
  ): Promise<void> {
    const { evidence, identity, now } = this.#options;
    const { name, publicKey, operators } = identity;
    const found = new Date(now()).toISOString();
    return evidence.write({ kind, found, keeper: { name, publicKey }, operator: operators.at(-1)!, kept, asked });
  }

  /** Looks whether a release that the server has is known here. */
  async #look(known: KnownRelease): Promise<void> {
    const { day: name, index, releasedAt, signature } = known;
    if (!this.#isOurs(keeperReleaseText(this.#options.identity.name, known, releasedAt), signature))
      throw new RangeError('known.signature is not that of this keeper on that release.');
    const day = await this.#options.days.open(name);
    await day?.journal.durable(index);
    const kept = day?.journal.find(index);
    if (kept && isSameQuestion(kept, known) && kept.releasedAt === releasedAt) return;
    const reason =
      `This keeper has signed a release of ${name}, index ${index}, that it does not know: its folder was put back to an older state. ` +
      'It releases nothing more; start a new keeper in an empty folder.';
    this.#olderCopy = reason;
    await this.#note('older-copy', day && kept ? this.#kept(day, index) : null, known);
    await replaceDurably(join(this.#options.dir, 'older-copy.json'), `${JSON.stringify({ reason, known })}\n`);
  }
}

function other(day: OpenDay, index: number, message: string): Found {
  return { day, index, refused: { code: 'OTHER_ROOT', message } };
}

/** The day of a draw's id by its time, and those before and after: where its seed may be. None of an id that is not of version 7. */
function daysAround(drawId: string): readonly string[] {
  if (drawId[UUID7_VERSION_AT] !== '7') return [];
  const timeMs = Number.parseInt(drawId.slice(0, 8) + drawId.slice(9, 13), 16);
  // 48 bits reach beyond the years that dates can be written with.
  return timeMs < Date.UTC(9999, 0) ? [-1, 0, 1].map((daysOn) => dayOf(timeMs, daysOn)) : [];
}

/** Whether two questions about one place are the same. */
function isSameQuestion(one: Omit<ReleaseQuestion, 'day'>, next: Omit<ReleaseQuestion, 'day'>): boolean {
  return (['drawId', 'closesAt', 'commitment', 'tickets', 'ticketRoot'] as const).every(
    (field) => one[field] === next[field],
  );
}
