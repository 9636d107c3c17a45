import type { Change } from '@drawhouse/contract/activity/activity';
import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import type { addResult } from '@drawhouse/contract/draws/draws';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import type { Result } from '@drawhouse/rules/games/rules';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand, type Done } from '../activity/run-command.ts';
import { FILE_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Tx } from '../platform/db/database.ts';
import { rulesOf } from '../games/games.sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Call } from '../platform/http/handler.ts';
import {
  storeConfirmation,
  storeSaved,
  lockRunning,
  type DrawChoice,
  enterDrawGate,
} from '../draws/states/update-draw.ts';
import { allStakes } from '../tickets/tickets.sql.ts';
import { coverResult } from './pay/cover.ts';
import type { DrawMachine } from './draw-machine.ts';
import { awaitsSecond, TWO_PERSONS, type DrawRow, findDraw, lockDraw } from '../draws/draws.sql.ts';
import { requireBeforeBeacons } from '../draws/seed/draw-seeds.ts';
import { bettingChange, resultWords, savedWords } from '../draws/states/system-log.ts';
import { isSameAddress, requireSecondPerson } from '../draws/results/second-person.ts';
import { SETTLEMENT_TEXTS, SETTLEMENT_SUBJECTS } from './settlement-texts.ts';
import type { Services } from '../platform/services.ts';
import { requirePair } from '../games/pairs/pairs.ts';

export interface Declaration {
  readonly result: string | number;
  /** Null or empty means 1; clients may omit it (docs/spec/game-operations.md §5). */
  readonly boosterValue: string | number | null;
  readonly color?: string;
  readonly type?: string;
  /** Confirm only: refused unless another person saved this same result. */
  readonly confirm?: boolean;
}

/** In points. */
type SavedAnswer = Pick<RouteResult<typeof addResult>, 'drawId' | 'message' | 'cover'>;

interface Save {
  readonly draw: DrawRow;
  readonly result: Result;
  readonly booster: number;
  readonly by: Actor;
  readonly ip: string | null;
  readonly confirms: boolean;
  /** Entered by a program, which needs no second person. Only outside results. */
  readonly byKey: boolean;
}

interface Saved extends Save {
  readonly savedAt: Date;
  readonly cover: bigint;
  readonly stakes: ReadonlyMap<string, bigint>;
}

/**
 * Saving closes betting. The result is replaceable until draw time; every save is logged with current stakes. In
 * two-person games, a second person confirms by saving the same result; a different result restarts confirmation. The
 * result of an outside lottery is saved after the draw time, and settles the draw once confirmed. No ceiling or cover
 * applies to it: bets were covered when they were taken.
 */
export async function saveResult(
  machine: DrawMachine,
  call: Call<Actor>,
  declared: DrawChoice & Declaration,
): Promise<SavedAnswer> {
  const { services } = machine;
  return runCommand(
    services,
    call,
    async (tx) => {
      const draw =
        (await lockAwaited(services, tx, call.actor, declared)) ??
        (await lockRunning(services, tx, call.actor, declared));
      const save = await judge(tx, draw, declared, call, services.clock.now());
      if (draw.draw_status === 'open') await machine.close(tx, draw);
      const cover =
        save.confirms || draw.outside !== null
          ? draw.cover
          : await coverResult(tx, services, draw, { ...save, actorId: save.by.id });
      const savedAt = save.confirms
        ? await storeConfirmation(services, tx, draw, save)
        : await storeSaved(services, tx, draw, { ...save, cover, at: services.clock.now() });
      if (stands(save) && draw.outside !== null) await machine.enter(tx, { ...draw, ...savedBy(save) });
      return doneOf({ ...save, cover: cover ?? 0n, savedAt, stakes: await allStakes(tx, draw) });
    },
    FILE_TIMEOUTS,
  );
}

/** An outside result that needs nobody else. */
function stands({ confirms, byKey }: Save): boolean {
  return confirms || byKey;
}

function savedBy({ result, booster }: Save): Pick<DrawRow, 'saved_result' | 'saved_booster'> {
  return { saved_result: result, saved_booster: booster };
}

async function judge(
  tx: Tx,
  draw: DrawRow,
  declared: Declaration,
  { actor: by, origin }: Call<Actor>,
  now: Date,
): Promise<Save> {
  if (draw.result_mode === 'generated')
    throw new CallError('RULE_REFUSED', { message: SETTLEMENT_TEXTS.alwaysGenerated });
  if (draw.draws_at > now) requireOwnDraw(draw);
  requireBeforeBeacons(draw, now, 'save');
  const byKey = draw.outside !== null && by.apiKey !== undefined;
  const read = readDeclared(draw, declared);
  const confirms = !byKey && (await isConfirmation(tx, draw, { actor: by, now }, read));
  if (declared.confirm === true && !confirms)
    throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.savedChanged });
  return { draw, ...read, by, ip: origin.ip || null, confirms, byKey };
}

function doneOf(saved: Saved): Done<SavedAnswer> {
  const { draw, result, booster, ip, confirms, savedAt, cover, stakes } = saved;
  const sameAddress = confirms && isSameAddress({ saved_ip: draw.saved_ip, confirmed_ip: ip });
  const verb = confirms ? 'Confirmed' : draw.saved_result === null ? 'Saved' : 'Replaced';
  const label = rulesOf(draw).resultLabel(result);
  return {
    result: { drawId: draw.id, message: messageOf(saved, sameAddress), cover: pointsOf(cover) },
    subject:
      draw.outside === null
        ? SETTLEMENT_SUBJECTS.saved(verb, label, booster, draw.name, draw.number)
        : SETTLEMENT_SUBJECTS.entered(verb, label, draw.outside, draw.name, draw.number),
    detail: {
      drawId: draw.id,
      result,
      booster,
      resultMode: draw.result_mode,
      confirms,
      ...(confirms && { sameAddress }),
      ...(draw.outside !== null && { outside: draw.outside, byKey: saved.byKey }),
      savedAt: savedAt.toISOString(),
      cover: pointsOf(cover),
      stakes: Object.fromEntries([...stakes].map(([key, stake]) => [key, pointsOf(stake)])),
    },
    changes: changesOf(saved, sameAddress),
  };
}

function messageOf(saved: Saved, sameAddress: boolean): string {
  const { draw, confirms } = saved;
  if (draw.outside !== null)
    return stands(saved) ? SETTLEMENT_TEXTS.entered(draw.outside) : SETTLEMENT_TEXTS.enteredForSecond(draw.outside);
  if (confirms) return SETTLEMENT_TEXTS.confirmed(sameAddress);
  return draw.result_mode === 'two-person' ? SETTLEMENT_TEXTS.savedForSecond : SETTLEMENT_TEXTS.saved;
}

function changesOf({ draw, result, booster, by, confirms, cover, stakes }: Saved, sameAddress: boolean): Change[] {
  const collected = [...stakes.values()].reduce((sum, stake) => sum + stake, 0n);
  return [
    ...changeOf('Saved result', savedWords(draw), resultWords(draw, result, booster)),
    ...(confirms ? changeOf('Confirmed by', null, by.username) : []),
    ...(sameAddress ? changeOf('Address', null, 'Same as the one that saved it') : []),
    ...bettingChange(draw),
    ...changeOf("Cover from the admin's credit", pointsText(draw.cover ?? 0n), pointsText(cover)),
    ...changeOf('Stakes at that moment', null, pointsText(collected)),
  ];
}

/**
 * Confirms another person's pending result. Throws if the save repeats the actor's own result or a confirmed one, or if
 * `requireSecondPerson` objects.
 */
async function isConfirmation(
  tx: Tx,
  draw: DrawRow,
  { actor, now }: { actor: Actor; now: Date },
  { result, booster }: Pick<Save, 'result' | 'booster'>,
): Promise<boolean> {
  if (!TWO_PERSONS.includes(draw.result_mode)) return false;
  if (draw.saved_booster !== booster || canonicalJson(draw.saved_result) !== canonicalJson(result)) return false;
  if (!awaitsSecond(draw))
    throw new CallError('DRAW_STATE', {
      message: SETTLEMENT_TEXTS.alreadyConfirmed,
    });
  await requireSecondPerson(tx, draw, actor, now);
  return true;
}

function readDeclared(
  draw: DrawRow,
  { result, boosterValue, color, type }: Declaration,
): Pick<Save, 'result' | 'booster'> {
  const rules = rulesOf(draw);
  const boosterText = String(boosterValue ?? '') || '1';
  const booster = Number(boosterText);
  if (!/^\d{1,2}$/.test(boosterText) || booster < 1 || booster > rules.maxBooster)
    throw new CallError('INVALID_INPUT', {
      fields: { boosterValue: SETTLEMENT_TEXTS.wrongBooster(rules.maxBooster) },
    });
  if (draw.outside !== null && booster !== 1)
    throw new CallError('INVALID_INPUT', { fields: { boosterValue: SETTLEMENT_TEXTS.noBooster } });
  return { result: parseResult(draw, { result, color, type }), booster };
}

export function parseResult(draw: DrawRow, named: Pick<Declaration, 'result' | 'color' | 'type'>): Result {
  const parsed = rulesOf(draw).parseResult(named);
  if (!parsed.ok) throw new CallError('INVALID_INPUT', { fields: { [parsed.field]: parsed.message } });
  return parsed.result;
}

/** Requires a draw past its draw time that a public lottery decides; otherwise undefined. */
async function lockAwaited(services: Services, tx: Tx, actor: Actor, choice: DrawChoice): Promise<DrawRow | undefined> {
  if (choice.drawId === undefined) return undefined;
  const pair = await requirePair(tx, actor, choice);
  const found = await findDraw(tx, choice.drawId);
  const now = services.clock.now();
  const isOfPair = found?.network_id === pair.network_id && found.game_id === pair.game_id;
  if (!found || !isOfPair || found.outside === null || found.draws_at > now) return undefined;
  if (!(await enterDrawGate(tx, { networkId: pair.network_id, gameKey: pair.game_key }, 'close')))
    throw new CallError('NETWORK_RESTORING');
  const draw = await lockDraw(tx, found);
  if (draw.draw_status === 'open') throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.stillClosing });
  if (draw.draw_status !== 'closed' || draw.awaits_until! <= now)
    throw new CallError('DRAW_STATE', { message: SETTLEMENT_TEXTS.notAwaited(draw.outside!, draw.draw_status) });
  return draw;
}

export function requireOwnDraw({ outside }: Pick<DrawRow, 'outside'>): void {
  if (outside !== null) throw new CallError('RULE_REFUSED', { message: SETTLEMENT_TEXTS.decidedOutside(outside) });
}
