import { isSignedTime, keeperReleaseText, operatorCloseText } from '@drawhouse/rules/keeper-texts';
import type { KnownRelease, ReleaseQuestion, ReleaseRefusal, SignedQuestion } from '@drawhouse/rules/keeper-texts';
import { createHash } from 'node:crypto';
import { isSignedBy } from './ed25519.ts';
import type { Released, WaitingDraw, WaitingPlace } from './draw-keepers.sql.ts';
import { hexOf, MOST_ASKED, NoAnswer } from './keeper-client.ts';
import type { KeeperClient } from './keeper-client.ts';

/** The root of no tickets: the SHA-256 of nothing. */
const ROOT_OF_NONE = createHash('sha256').digest();

/** What a keeper is asked for one draw. */
interface Question {
  readonly place: WaitingPlace;
  readonly asked: SignedQuestion;
}

/** An answer that is none: why, and what it was. */
export interface WrongAnswer {
  readonly place: WaitingPlace;
  readonly reason: string;
  readonly question: SignedQuestion;
  readonly answer: string;
}

/** What came of asking one keeper. */
export interface Asked {
  readonly released: readonly (Released & { readonly network_id: number })[];
  /** One of these, to be shown to the keeper with the next questions. */
  readonly known: KnownRelease | undefined;
  readonly wrong: readonly WrongAnswer[];
  /** What it gave no answer to, and why. */
  readonly missing: readonly { readonly place: WaitingPlace; readonly why: string }[];
}

/** An answer that is kept as evidence is cut here. */
export const MOST_KEPT = 8_000;
/** So much of what it says is told on. */
const MOST_SAID = 300;

/**
 * Asks a keeper for the seeds of draws that are closed, and checks each answer: the seed is the one that was committed to, and the keeper has signed
 * for this draw, its close and its tickets, after that close. One by whose clock betting is open still has given no answer. `sign` signs with the server's seal key; `known` is a release that the keeper must know of. Never throws.
 */
export async function askRelease(
  client: KeeperClient,
  places: readonly { readonly place: WaitingPlace; readonly draw: WaitingDraw }[],
  { sign, known }: { readonly sign: (text: Uint8Array) => Uint8Array; readonly known: KnownRelease | undefined },
): Promise<Asked> {
  const parts = [];
  for (let start = 0; start < places.length; start += MOST_ASKED) {
    const some = places.slice(start, start + MOST_ASKED).map(({ place, draw }) => questionOf(place, draw, sign));
    parts.push(askSome(client, some, known));
  }
  const asked = await Promise.all(parts);
  return {
    known: asked.find((some) => some.known)?.known,
    released: asked.flatMap(({ released }) => released),
    wrong: asked.flatMap(({ wrong }) => wrong),
    missing: asked.flatMap(({ missing }) => missing),
  };
}

function questionOf(place: WaitingPlace, draw: WaitingDraw, sign: (text: Uint8Array) => Uint8Array): Question {
  const question: ReleaseQuestion = {
    day: place.day,
    index: place.index,
    drawId: place.id,
    closesAt: place.closes_at.toISOString(),
    commitment: draw.commitment.toString('hex'),
    tickets: draw.ticket_count,
    ticketRoot: (draw.ticket_root ?? ROOT_OF_NONE).toString('hex'),
  };
  const signature = sign(operatorCloseText(place.keeper.toString('hex'), question));
  const operatorSignature = Buffer.from(signature).toString('hex');
  return { place, asked: { ...question, operatorSignature } };
}

async function askSome(
  client: KeeperClient,
  questions: readonly Question[],
  shown: KnownRelease | undefined,
): Promise<Asked> {
  let answers: unknown[];
  let known: KnownRelease | undefined;
  try {
    answers = await client.release(
      questions.map(({ asked }) => asked),
      shown,
    );
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { known, released: [], wrong: [], missing: questions.map(({ place }) => ({ place, why: error.message })) };
  }
  const released: Asked['released'][number][] = [];
  const wrong: WrongAnswer[] = [];
  const missing: Asked['missing'][number][] = [];
  for (const [nth, question] of questions.entries()) {
    const answer = answers[nth];
    const early = tooEarly(answer);
    const judged = early ?? judge(question, answer);
    if (early !== undefined) missing.push({ place: question.place, why: early });
    else if (typeof judged !== 'string') {
      released.push(judged);
      const { operatorSignature: _, ...asked } = question.asked;
      known ??= {
        ...asked,
        releasedAt: judged.released_at.toISOString(),
        signature: judged.signature.toString('hex'),
      };
    } else
      wrong.push({
        place: question.place,
        reason: judged,
        question: question.asked,
        answer: JSON.stringify(answer ?? null).slice(0, MOST_KEPT),
      });
  }
  return { known, released, wrong, missing };
}

/** What a keeper says by whose clock betting has not closed yet; undefined for any other answer. */
function tooEarly(answer: unknown): string | undefined {
  const { code, message } = (answer ?? {}) as Record<string, unknown>;
  const isEarly: boolean = code === ('STILL_OPEN' satisfies ReleaseRefusal);
  return isEarly ? `its clock is behind: ${String(message).slice(0, MOST_SAID)}` : undefined;
}

/** What a keeper has released, or why its answer is none. */
function judge({ place, asked }: Question, answer: unknown): Asked['released'][number] | string {
  const {
    seed: seedHex,
    releasedAt,
    signature: signatureHex,
    code,
    message,
  } = (answer ?? {}) as Record<string, unknown>;
  if (typeof code === 'string') return `it refused: ${code}, ${String(message).slice(0, MOST_SAID)}`;
  let seed: Buffer;
  let signature: Buffer;
  try {
    [seed, signature] = [hexOf(seedHex, 32), hexOf(signatureHex, 64)];
  } catch {
    return 'it answered no seed with a signature';
  }
  if (!isSignedTime(releasedAt)) return 'it does not say when it released its seed';
  if (!createHash('sha256').update(seed).digest().equals(place.commitment))
    return 'its seed is not the one that it committed to';
  if (!isSignedBy(place.keeper, keeperReleaseText(place.name, asked, releasedAt), signature))
    return 'its signature is not for this draw with this close and these tickets';
  if (releasedAt < asked.closesAt)
    return `it released its seed at ${releasedAt}, before betting closed at ${asked.closesAt}`;
  const { network_id, id, place: nth } = place;
  return { network_id, id, place: nth, seed, released_at: new Date(releasedAt), signature };
}
