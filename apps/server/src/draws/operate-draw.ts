import type { Actor } from '../accounts/authority.ts';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { generateResult } from '@drawhouse/contract/draws/draws';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { changeOf } from '../activity/changes.ts';
import { runCommand } from '../activity/run-command.ts';
import { pointsOf, pointsText } from '@drawhouse/contract/frame/primitives';
import { PATIENT } from '../db/database.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { rulesOf } from '../games/games.sql.ts';
import { panelChanged, requirePair } from '../games/pairs.ts';
import type { PairChoice } from '../games/pairs.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { enterDrawGate } from './draw-gate.ts';
import type { DrawMachine } from './draw-machine.ts';
import { isSameAddress, requireSecondPerson } from './second-person.ts';
import { awaitsSecond, lockDraw, runningDraw } from './draws.sql.ts';
import type { DrawRow } from './draws.sql.ts';
import { resultWords, savedWords, statusWords } from './log-words.ts';

/** Which draw an operator means: the running one of a game and admin; with `drawId` only if it still is that one. */
export interface DrawChoice extends PairChoice {
  readonly drawId?: string;
}

/** What an operator declares, as it came from the panel. */
export interface Declaration {
  readonly result: string | number;
  /** An empty text and null are 1: the clients need not set it (section 5 of the games specification). */
  readonly boosterValue: string | number | null;
  readonly color?: string;
  readonly type?: string;
  /** Only confirms: refused where this is not the result that somebody else has saved. */
  readonly confirm?: boolean;
}

/**
 * Locks the running draw, which must have no result yet and not be at its draw time. Whoever comes second of those who end it
 * is refused: the first one's transaction leaves it settled or void.
 */
async function lockRunning(services: Services, tx: Tx, actor: Actor, choice: DrawChoice): Promise<DrawRow> {
  const pair = await requirePair(tx, actor, choice);
  const running = await runningDraw(tx, pair, services.clock.now());
  if (!running) throw new CallError('DRAW_STATE', { message: 'No draw of this game is running.' });
  await enterDrawGate(tx, { networkId: pair.network_id, gameKey: pair.game_key }, 'close');
  const draw = await lockDraw(tx, running);
  if ((choice.drawId !== undefined && choice.drawId !== draw.id) || draw.draws_at <= services.clock.now())
    throw new CallError('DRAW_STATE', { message: 'That draw is over. The next one is running.' });
  if (draw.draw_status !== 'open' && draw.draw_status !== 'closed')
    throw new CallError('DRAW_STATE', { message: `Draw ${draw.number} is ${draw.draw_status}.` });
  return draw;
}

/**
 * Saves the result of the running draw. Betting closes with it, in the same transaction. It can be replaced until the draw time;
 * each time goes into the log with the stakes at that moment. In a two-person game a second person who saves the same
 * result confirms it; whoever saved it can't, and another result takes its place and waits for a second person in turn.
 */
export async function saveResult(
  machine: DrawMachine,
  call: Call<Actor>,
  declared: DrawChoice & Declaration,
): Promise<{ drawId: string; message: string }> {
  const { services, hooks } = machine;
  const ip = call.origin.ip || null;
  const save = async (tx: Tx) => {
    const draw = await lockRunning(services, tx, call.actor, declared);
    if (draw.result_mode === 'generated')
      throw new CallError('RULE_REFUSED', { message: 'Results of this draw are only generated; none can be saved.' });
    const { result, booster } = read(draw, declared);
    const confirms = await isConfirmation(
      tx,
      draw,
      { actor: call.actor, now: services.clock.now() },
      { result, booster },
    );
    if (declared.confirm === true && !confirms)
      throw new CallError('DRAW_STATE', { message: 'This is not the result that is saved now. Look at it again.' });
    const wasOpen = draw.draw_status === 'open';
    if (wasOpen) await machine.close(tx, draw);
    let savedAt = draw.saved_at;
    if (confirms)
      await tx.query('update draws set confirmed_by = $3, confirmed_ip = $4 where network_id = $1 and id = $2', [
        draw.network_id,
        draw.id,
        call.actor.id,
        ip,
      ]);
    else {
      // Neither before betting closed nor before the save that it replaces: another server's clock may have put both ahead of this one's.
      const [saved] = await tx.query<{ saved_at: Date }>(
        `update draws set saved_result = $3, saved_booster = $4, saved_by = $5, saved_ip = $7, confirmed_by = null, confirmed_ip = null,
           saved_at = greatest($6, closed_at, saved_at + interval '1 millisecond')
         where network_id = $1 and id = $2 returning saved_at`,
        [draw.network_id, draw.id, JSON.stringify(result), booster, call.actor.id, services.clock.now(), ip],
      );
      savedAt = saved!.saved_at;
    }
    panelChanged(services, tx, draw);
    const sameAddress = confirms && isSameAddress({ saved_ip: draw.saved_ip, confirmed_ip: ip });
    const stakes = await hooks.stakesOf(tx, draw);
    const verb = confirms ? 'Confirmed' : draw.saved_result === null ? 'Saved' : 'Replaced';
    const label = rulesOf(draw).resultLabel(result);
    return {
      result: {
        drawId: draw.id,
        message:
          draw.result_mode === 'two-person' && !confirms
            ? 'Result saved. It stands once a second person confirms it before the draw time.'
            : confirms
              ? `Result confirmed${sameAddress ? ', from the address from which it was saved' : ''}. It settles at the draw time.`
              : 'Result added successfully!',
      },
      subject: `${verb} result ${label} booster ${booster} of ${draw.name}, draw ${draw.number}`,
      detail: {
        drawId: draw.id,
        result,
        booster,
        resultMode: draw.result_mode,
        confirms,
        ...(confirms && { sameAddress }),
        savedAt: savedAt!.toISOString(),
        stakes: Object.fromEntries([...stakes].map(([key, stake]) => [key, pointsOf(stake)])),
      },
      changes: [
        ...changeOf('Saved result', savedWords(draw), resultWords(draw, result, booster)),
        ...(confirms ? changeOf('Confirmed by', null, call.actor.username) : []),
        ...(sameAddress ? changeOf('Address', null, 'The same as that from which it was saved') : []),
        ...bettingChange(wasOpen),
        ...changeOf(
          'Stakes at that moment',
          null,
          pointsText([...stakes.values()].reduce((sum, one) => sum + one, 0n)),
        ),
      ],
    };
  };
  // Betting closes with it, which takes the time of all tickets.
  return runCommand(services, call, save, PATIENT);
}

const bettingChange = (wasOpen: boolean): Change[] => (wasOpen ? changeOf('Betting', 'Open', 'Closed') : []);

/**
 * Whether somebody confirms a result by saving it: the same one that somebody else has saved and that waits for a second person. Throws
 * where in a draw of two persons it is their own, as `requireSecondPerson` says, or confirmed already.
 */
async function isConfirmation(
  tx: Tx,
  draw: DrawRow,
  { actor, now }: { actor: Actor; now: Date },
  { result, booster }: { result: NonNullable<DrawRow['result']>; booster: number },
): Promise<boolean> {
  if (draw.result_mode !== 'two-person') return false;
  if (draw.saved_booster !== booster || canonicalJson(draw.saved_result) !== canonicalJson(result)) return false;
  if (!awaitsSecond(draw))
    throw new CallError('DRAW_STATE', {
      message: 'This result has already been confirmed. It settles at the draw time.',
    });
  await requireSecondPerson(tx, draw, actor, now);
  return true;
}

function read(
  draw: DrawRow,
  { result, boosterValue, color, type }: Declaration,
): { result: NonNullable<DrawRow['result']>; booster: number } {
  const rules = rulesOf(draw);
  const wanted = String(boosterValue ?? '') || '1';
  const booster = Number(wanted);
  if (!/^\d{1,2}$/.test(wanted) || booster < 1 || booster > rules.maxBooster)
    throw new CallError('INVALID_INPUT', {
      fields: { boosterValue: `The booster is a whole number from 1 to ${rules.maxBooster}` },
    });
  const parsed = rules.parseResult({ result, color, type });
  if (!parsed.ok) throw new CallError('INVALID_INPUT', { fields: { [parsed.field]: parsed.message } });
  return { result: parsed.result, booster };
}

/**
 * Closes betting on the running draw, generates its result now, whatever was saved, and settles it: all in one transaction, so that
 * nobody finds it drawn and not yet settled.
 */
export async function generateNow(
  machine: DrawMachine,
  call: Call<Actor>,
  choice: DrawChoice,
): Promise<Pick<RouteResult<typeof generateResult>, 'drawId' | 'result' | 'outcome' | 'booster'>> {
  return runCommand(
    machine.services,
    call,
    async (tx) => {
      const draw = await lockRunning(machine.services, tx, call.actor, choice);
      const wasOpen = draw.draw_status === 'open';
      const { result, result_label: label, booster } = await machine.generate(tx, draw);
      return {
        result: { drawId: draw.id, result: label, outcome: result, booster },
        subject: `Generated the result of ${draw.name}, draw ${draw.number}`,
        detail: { drawId: draw.id, result, booster, replaced: draw.saved_result },
        changes: [
          ...changeOf('Saved result', savedWords(draw), null),
          ...changeOf('Result', null, resultWords(draw, result, booster)),
          ...bettingChange(wasOpen),
        ],
      };
    },
    PATIENT,
  );
}

/** Voids the running draw: every stake goes back to its player. */
export async function voidRunning(
  machine: DrawMachine,
  call: Call<Actor>,
  choice: DrawChoice & { reason: string },
): Promise<{ drawId: string }> {
  return runCommand(
    machine.services,
    call,
    async (tx) => {
      const draw = await lockRunning(machine.services, tx, call.actor, choice);
      const before = statusWords(draw);
      const isSeedPublished = await machine.voidDraw(tx, draw, 'operator');
      return {
        result: { drawId: draw.id },
        subject: `Voided ${draw.name}, draw ${draw.number}: ${choice.reason}${isSeedPublished ? '' : ' (its seed could not be read)'}`,
        // The audit looks for why a void draw has no seed.
        detail: { drawId: draw.id, reason: choice.reason, ...(!isSeedPublished && { seedUnreadable: true }) },
        changes: [
          ...changeOf('Draw', before, 'Void, all stakes given back'),
          ...changeOf('Saved result', savedWords(draw), null),
          ...changeOf('Reason', null, choice.reason),
        ],
      };
    },
    PATIENT,
  );
}
