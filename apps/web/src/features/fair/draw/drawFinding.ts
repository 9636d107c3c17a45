import { publishedRules, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { examineDraw, type Examination } from '@drawhouse/rules/fair/explain';
import type { GameRules, Outcome, Result } from '@drawhouse/rules/games/rules';
import { fairTexts, type VerdictText } from '../fairTexts.ts';
import { isFinished, type FairDraw } from './fairDraw.ts';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { fairPaper } from '@drawhouse/contract/tickets/tickets';
import { rootByPath } from '@drawhouse/rules/fair/tree/merkle';
import { formatHex } from '../fairFormat.ts';

export type DrawKind = 'running' | 'generated' | 'declared' | 'outside' | 'void';

export interface DrawFinding {
  readonly kind: DrawKind;
  /** `none`: nothing to check. */
  readonly outcome: 'right' | 'wrong' | 'none';
  readonly text: VerdictText;
  readonly problems: readonly string[];
  /** Null while the draw runs, or if it has no seed. */
  readonly examination: Examination | null;
  /** Rules with the draw's own pays; null if unknown to this page. */
  readonly rules: GameRules | null;
}

function rightText(kind: Exclude<DrawKind, 'running'>, draw: FairDraw): VerdictText {
  if (kind === 'void') return voidText(draw);
  return fairTexts.right[kind === 'generated' && draw.beacons.length > 0 ? 'withBeacons' : kind];
}

function runningText({ outside, status }: FairDraw): VerdictText {
  const isUndecided = status === 'open' || status === 'closed';
  return outside !== null && isUndecided ? fairTexts.outsideRunning : fairTexts.running[status];
}

function voidText({ voidCause }: FairDraw): VerdictText {
  const { right, unpayable, voidBy } = fairTexts;
  if (voidCause === 'wins') return unpayable;
  const by = voidCause && voidCause !== 'seed' ? [voidBy[voidCause]] : [];
  return { ...right.void, text: [...by, right.void.text].join(' ') };
}

/** Checks the draw by its seed alone. Never throws. */
export function checkDraw(draw: FairDraw): DrawFinding {
  const kind = kindOf(draw);
  const published = draw as unknown as PublishedDraw;
  const rules = rulesOf(published);
  if (kind === 'running') {
    const text = draw.undone ? fairTexts.undoneUnfinished : runningText(draw);
    return { kind, outcome: 'none', text, problems: [], examination: null, rules };
  }
  if (kind === 'void' && draw.seed === null)
    return { kind, outcome: 'none', text: fairTexts.unreadable, problems: [], examination: null, rules };
  const examination = examineDraw(published);
  const { check } = examination;
  return {
    kind,
    outcome: check.ok ? 'right' : 'wrong',
    text: check.ok ? rightText(kind, draw) : fairTexts.wrong,
    problems: check.ok ? [] : check.problems,
    examination,
    rules,
  };
}

export function withProblems(finding: DrawFinding, problems: readonly string[]): DrawFinding {
  if (problems.length === 0) return finding;
  return { ...finding, outcome: 'wrong', text: fairTexts.wrong, problems: [...finding.problems, ...problems] };
}

function kindOf(draw: FairDraw): DrawKind {
  if (!isFinished(draw)) return 'running';
  if (draw.status === 'void') return 'void';
  if (draw.outside !== null) return 'outside';
  return draw.source === 'declared' ? 'declared' : 'generated';
}

function rulesOf(published: PublishedDraw): GameRules | null {
  try {
    return publishedRules(published);
  } catch {
    return null;
  }
}

export function resultName(draw: FairDraw, rules: GameRules | null): string {
  return rules?.isResult(draw.result) ? plainName(rules, draw.result) : (draw.resultLabel ?? '–');
}

/** Shortens named outcomes to their name: `Sun`, `A♠`. */
export function plainName(rules: GameRules, result: Result): string {
  const label = 'drawno' in result && !('suit' in result) && outcomeOf(rules, result.drawno)?.label;
  return label || rules.resultLabel(result);
}

function outcomeOf({ outcomes }: GameRules, drawno: string): Outcome | undefined {
  return outcomes.find((outcome) => outcome.drawno === drawno);
}

type Answer = Pick<RouteAnswer<typeof fairPaper>, 'digest' | 'index' | 'size' | 'path'>;

/** `wrong`: the path leads to another root. */
type PaperFinding = 'in' | 'wrong' | 'open';

/** Ignores digest and root of the answer, which could be forged. */
export function paperFinding(
  digest: string,
  { index, size, path }: Answer,
  { ticketRoot, tickets }: Pick<FairDraw, 'ticketRoot' | 'tickets'>,
): PaperFinding {
  if (ticketRoot === null || index === null || size === null || path === null) return 'open';
  const root = rootByPath({ leaf: bytesOf(digest), index, size, path: path.map(bytesOf) });
  return size === tickets && root !== null && formatHex(root) === ticketRoot.toLowerCase() ? 'in' : 'wrong';
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
