import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keeperDayText, keeperReleaseText, operatorCloseText } from '@drawhouse/rules/keeper-texts';
import { DaySeeds, rootOf } from './day-seeds.ts';
import type { StoredDay } from './day-seeds.ts';
import { dayFiles, readDay } from './keeper-days.ts';
import { readEvidence } from './keeper-evidence.ts';
import type { Evidence } from './keeper-evidence.ts';
import { readIdentity } from './keeper-identity.ts';
import type { Identity } from './keeper-identity.ts';
import { verifierOf } from './keeper-keys.ts';
import { journalHeader, readJournal } from './release-journal.ts';
import { readStamp } from './life-stamp.ts';

/** What was found in a folder. */
export interface FolderReport {
  readonly days: number;
  readonly releases: number;
  readonly evidence: number;
  /** A sentence for each thing that is wrong. */
  readonly problems: readonly string[];
}

/**
 * Checks a keeper's folder, also beside the keeper that runs on it, and changes nothing: that each day's seeds have the root that was signed,
 * that each journal is whole and has no place and no draw twice, that its questions are signed by an operator and were answered after the close that they name, and that
 * evidence proves what it says. Throws a sentence where there is no keeper.
 */
export async function verifyFolder(dir: string): Promise<FolderReport> {
  const identity = await readIdentity(dir);
  if (!identity) throw new Error(`There is no keeper in ${dir}: keeper.json is missing.`);
  const problems: string[] = [];
  const stamp = await readStamp(dir);
  const names = (await readdir(join(dir, 'days')).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  const places = new Map<string, string>();
  let releases = 0;
  for (const name of names) {
    const day = name.slice(0, -'.json'.length);
    try {
      const stored = (await readDay(dir, day))!;
      problems.push(...(await dayProblems(identity, stored)));
      releases += await checkJournal({ dir, identity, stored, places, problems }, stamp?.journals[day]?.bytes ?? 0);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  const evidence = await readEvidence(dir);
  for (const [at, each] of evidence.entries())
    if (!proves(each)) problems.push(`evidence.jsonl, line ${at + 1}: its signatures are not those of whom it names.`);
  return { days: names.length, releases, evidence: evidence.length, problems };
}

async function dayProblems(
  { name, publicKey }: Identity,
  { day, size, secret, root, signature, nodes }: StoredDay,
): Promise<string[]> {
  const made = await new DaySeeds(secret, size).nodes();
  const isSame =
    made.length === nodes.length && made.every((node, at) => Buffer.from(node).toString('hex') === nodes[at]);
  if (!isSame || rootOf(made) !== root) return [`The seeds of ${day} do not have the root that was published.`];
  const isSigned = verifierOf(publicKey)(keeperDayText({ name, day, size, root }), signature);
  return isSigned ? [] : [`The signature of ${day} is not that of this keeper.`];
}

interface JournalCheck {
  readonly dir: string;
  readonly identity: Identity;
  readonly stored: StoredDay;
  /** Where each draw was released so far. */
  readonly places: Map<string, string>;
  readonly problems: string[];
}

async function checkJournal(
  { dir, identity, stored, places, problems }: JournalCheck,
  atLeastBytes: number,
): Promise<number> {
  const { day, root, size } = stored;
  const { journal } = dayFiles(dir, day);
  const { entries, wholeBytes } = readJournal(await readFile(journal), journalHeader(day, root), journal);
  if (wholeBytes < atLeastBytes) problems.push(`${journal} has lost releases: it had ${atLeastBytes} bytes.`);
  const operators = identity.operators.map(verifierOf);
  const indexes = new Set<number>();
  for (const { entry } of entries) {
    const { index, drawId, closesAt, releasedAt, operatorSignature } = entry;
    const place = `${day}, index ${index}`;
    if (index >= size) problems.push(`${journal}: index ${index} is none of its ${size} seeds.`);
    if (indexes.has(index)) problems.push(`${journal}: index ${index} was released twice.`);
    if (places.has(drawId))
      problems.push(`The draw ${drawId} was released twice: ${places.get(drawId)}, and ${place}.`);
    if (!(Date.parse(releasedAt) >= Date.parse(closesAt)))
      problems.push(`${journal}: index ${index} was released at ${releasedAt}, before betting closed at ${closesAt}.`);
    const text = operatorCloseText(identity.publicKey, { day, ...entry });
    if (!operators.some((isSigned) => isSigned(text, operatorSignature)))
      problems.push(`${journal}: the question of index ${index} is not signed by an operator.`);
    indexes.add(index);
    places.set(drawId, place);
  }
  return entries.length;
}

/** Whether evidence proves what it says, by nothing but its own lines and the public keys that it names. */
export function proves({ kind, keeper, operator, kept, asked }: Evidence): boolean {
  const isKeepers = verifierOf(keeper.publicKey);
  const isOperators = verifierOf(operator);
  const isKeptSigned =
    kept === null || isKeepers(keeperReleaseText(keeper.name, kept, kept.releasedAt), kept.signature);
  if (kind === 'older-copy')
    return (
      isKeptSigned &&
      'signature' in asked &&
      isKeepers(keeperReleaseText(keeper.name, asked, asked.releasedAt), asked.signature)
    );
  return (
    kept !== null &&
    isKeptSigned &&
    'operatorSignature' in asked &&
    // Both are about one place or one draw, and differ.
    ((kept.day === asked.day && kept.index === asked.index) || kept.drawId === asked.drawId) &&
    isOperators(operatorCloseText(keeper.publicKey, asked), asked.operatorSignature)
  );
}
