import { chainName } from '@drawhouse/rules/drand-chain';
import { publishedRules } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { examineDraw } from '@drawhouse/rules/explain';
import type { Examination } from '@drawhouse/rules/explain';
import type { GameRules } from '@drawhouse/rules/rules';
import { fairTexts } from './fairTexts.ts';
import type { VerdictText } from './fairTexts.ts';
import { isFinished } from './fairDraw.ts';
import type { FairDraw } from './fairDraw.ts';

/** What kind of draw it is to who wants to check it. */
export type DrawKind = 'running' | 'generated' | 'declared' | 'void';

/** What the browser found out about a draw. */
export interface DrawFinding {
  readonly kind: DrawKind;
  /** `none` where there is nothing to check. */
  readonly outcome: 'right' | 'wrong' | 'none';
  readonly text: VerdictText;
  readonly problems: readonly string[];
  /** Null while the draw runs, and where it has no seed. */
  readonly examination: Examination | null;
  /** The rules of the draw with its own pays; null for those that this page does not know. */
  readonly rules: GameRules | null;
}

/** What is said of a draw that is right. */
function rightText(kind: 'generated' | 'declared' | 'void', draw: FairDraw): VerdictText {
  if (kind === 'void') return voidText(draw);
  return fairTexts.right[kind === 'generated' && isShared(draw) ? 'kept' : kind];
}

/** What is said of a void draw for its cause, and that its result was knowable where it was. */
function voidText(draw: FairDraw): VerdictText {
  const { voidCause, knowable } = draw;
  const { late, right, unpayable, voidBy } = fairTexts;
  if (isLate(draw))
    return { ...late, text: [lateText(draw), late.text, ...(knowable ? [fairTexts.knownSince] : [])].join(' ') };
  const known = knowable ? [fairTexts.knowable] : [];
  if (voidCause === 'wins') return { ...unpayable, text: [unpayable.text, ...known].join(' ') };
  const by = voidCause === 'operator' || voidCause === 'restore' ? [voidBy[voidCause]] : [];
  return { ...right.void, text: [...by, right.void.text, ...known].join(' ') };
}

/** Whether a draw is void because a part of its seed did not come in time: what came of it since says nothing of what was known then. */
export function isLate({ voidCause }: Pick<FairDraw, 'voidCause'>): boolean {
  return voidCause === 'keeper' || voidCause === 'beacon';
}

/** Who did not give a part of a void draw's seed in time, by name, and what came instead. */
function lateText({ voidCause, keepers, beacon, faults }: FairDraw): string {
  const late =
    voidCause === 'beacon'
      ? [{ by: 'drand', what: `Round ${beacon?.round} of ${chainName(beacon?.hash ?? '')} did not come` }]
      : keepers
          // What came since tells which it was only where there is one.
          .filter(({ seed }) => seed === null || keepers.length === 1)
          .map(({ name }) => ({ by: name, what: `${name} did not give its part of the seed` }));
  const texts = late.map(({ by, what }) => {
    const fault = faults.find((one) => one.by === by);
    return `${what} in time${fault ? `: ${fault.reason}` : ''}.`;
  });
  return texts.join(' ') || 'A part of its seed that others keep did not come in time.';
}

/** Checks a draw as the server published it, by the published seed and nothing else. Never throws, whatever was answered. */
export function findOut(draw: FairDraw): DrawFinding {
  const kind = kindOf(draw);
  const published = draw as unknown as PublishedDraw;
  const rules = rulesOf(published);
  if (kind === 'running') {
    const text = draw.undone ? fairTexts.undoneUnfinished : fairTexts.running[draw.status];
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

/**
 * The same finding with what is wrong with signatures of those who keep parts of the seed. They are found out apart (`keptSignatures`), as it takes a large
 * library: whatever shows a verdict on a draw that others keep too has to wait for them. A draw whose seed somebody could know while bets were taken is unfair, and is called so.
 */
export function withSignatures(
  finding: DrawFinding,
  { problems, isUnfair }: { readonly problems: readonly string[]; readonly isUnfair: boolean },
): DrawFinding {
  if (problems.length === 0) return finding;
  const text = isUnfair ? fairTexts.unfair : fairTexts.wrong;
  return { ...finding, outcome: 'wrong', text, problems: [...finding.problems, ...problems] };
}

/** Whether others keep parts of a draw's seed beside the server. */
export function isShared({ keepers, beacon }: Pick<FairDraw, 'keepers' | 'beacon'>): boolean {
  return keepers.length > 0 || beacon !== null;
}

function kindOf(draw: FairDraw): DrawKind {
  if (!isFinished(draw)) return 'running';
  if (draw.status === 'void') return 'void';
  return draw.source === 'declared' ? 'declared' : 'generated';
}

function rulesOf(published: PublishedDraw): GameRules | null {
  try {
    return publishedRules(published);
  } catch {
    return null;
  }
}

/** What the published result is called: by the rules where they know it, else in the server's words. */
export function resultName(draw: FairDraw, rules: GameRules | null): string {
  return rules?.isResult(draw.result) ? rules.resultLabel(draw.result) : (draw.resultLabel ?? '–');
}
