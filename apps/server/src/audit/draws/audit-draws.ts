import { isBoosterWeights } from '@drawhouse/rules/fair/booster';
import { checkWith, Findings, loggedId, readPages, LOGGED_AT, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { auditBeacons } from './audit-beacons.ts';
import { problemsOfOdds, readLoggedPercentages, type LoggedPercentages } from './audit-odds.ts';
import { auditOpenings } from './audit-openings.ts';
import { auditTerms, problemsOfTerms, readLoggedTerms, type LoggedTermsOfGames } from './audit-terms.ts';
import { auditedRules, problemsOfProof, SETTLED_RESULT, TICKET_ROOT, type ProvenDraw } from '../audited-rows.ts';
import { drawAt, REPLACES_AFTER_MS } from '@drawhouse/rules/time/schedule';

export async function auditDraws(db: Queryable): Promise<Check[]> {
  const [terms, percentages] = [await readLoggedTerms(db), await readLoggedPercentages(db)];
  return [
    terms.check,
    percentages.check,
    await auditTerms(db),
    await auditOpenings(db),
    await auditSeeds(db, { terms: terms.logged, percentages: percentages.logged }),
    await auditBeacons(db),
    await auditDeclarations(db),
    await auditSecondPersons(db),
    await auditOverlaps(db),
  ];
}

/** After a clock correction, a draw may overlap a finished one. */
async function auditOverlaps(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'draws of a game and admin follow each other',
    'draws',
    sql`ordered as (
       select network_id, id, opens_at, lag(id) over pair as before, lag(draws_at) over pair as before_ends,
         coalesce(lag(status) over pair in ('settled', 'void') and lag(draws_at) over pair = draws_at
           and lag(opens_at) over pair = opens_at - interval '${sql.lit(REPLACES_AFTER_MS)} ms', false) as replaces
       from draws window pair as (partition by network_id, game_id order by opens_at)
     ), wrong as (
       select format('draw %s of network %s opens at %s, before draw %s of the same game and admin ends at %s', id,
         network_id, opens_at, before, before_ends)
         as problem
       from ordered where before_ends > opens_at and not replaces
     )`,
  );
}

/** `saved_at` orders declarations across two logs, whose ids come from two servers and may be out of order. */
const LOGGED_DRAWS = sql`logged as materialized (
  select network_id as log, seq, id, account_id as actor_id, ${loggedId('drawId')} as draw_id, detail -> 'result' as result,
         detail -> 'booster' as booster, detail ->> 'savedAt' as saved_at,
         coalesce(detail -> 'confirms' = 'true'::jsonb, false) as confirms,
           coalesce(detail -> 'byKey' = 'true'::jsonb, false) as by_key, detail ? 'seedUnreadable' as unreadable,
           detail ? 'restore' as by_restore,
         detail ->> 'cause' as cause, case when detail ? 'stakes' then 'declared' when detail ? 'replaced'
           then 'generated' when detail ? 'reason' then 'void' end as did
  from audited.standing_activity where detail ? 'drawId'
)`;

/** A declared result must be the last one logged and, for two-person games, confirmed. */
async function auditDeclarations(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every declared, generated or voided draw is as logged',
    'draws',
    sql`${LOGGED_DRAWS}, declared as (
       select distinct on (draw_id) * from logged where did = 'declared'
       order by draw_id, saved_at collate "C" desc nulls last, confirms desc, id desc
     ), saved as (
       select distinct on (draw_id) * from logged where did = 'declared' and not confirms
       order by draw_id, saved_at collate "C" desc nulls last, id desc
     ), done as (
       select draw_id, bool_or(did = 'generated') as generated, bool_or(did = 'void') as void,
              bool_or(did = 'void' and actor_id is null) as by_server, bool_or(by_restore) as by_restore,
                max(cause) as cause, bool_or(did = 'void' and (actor_id is null or unreadable)) as unreadable
       from logged group by draw_id
     ), compared as (
       select d.*, ${SETTLED_RESULT}::jsonb as settled_result,
         format('draw %s of network %s', d.id, d.network_id) as name, l.seq, l.log, l.result as told_result,
         l.booster as told_booster,
              l.confirms, l.actor_id, s.actor_id as saver, s.result as first_result, s.booster as first_booster,
              coalesce(done.generated, false) as told_generated, coalesce(done.void, false) as told_void,
              coalesce(done.unreadable, false) as told_unreadable,
              case when not done.by_server or done.cause = 'operator' then 'operator' when done.by_restore
                then 'restore' when d.seed is null then 'seed' else coalesce(done.cause, 'wins') end as told_cause,
              coalesce(case terms.result_mode when 'two-person' then l.confirms when 'outside' then l.confirms or l.by_key
                when 'generated' then false end, true) as stands
       from draws d left join draw_terms terms on terms.id = d.terms_id left join declared l on l.draw_id = d.id left
         join saved s on s.draw_id = d.id left join done on done.draw_id = d.id
     ), judged as (
       select case
         when (status = 'void') <> told_void then
           format('%s is %s, but the log says that it %s', name, status, case when told_void then 'was voided' else 'was never voided' end)
         when status = 'void' and seed is null and not told_unreadable then
           format('%s is void and its seed is missing; no log says that it could not be read', name)
         when status = 'void' and void_cause::text is distinct from told_cause then
           format('%s is void for the cause %s, but the log says %s', name, coalesce(void_cause::text, 'none'), told_cause)
         when log is null and (num_nonnulls(saved_result, saved_booster, saved_by, saved_at, saved_ip, confirmed_by,
           confirmed_ip) > 0 or source = 'declared') then
           format('%s has the declared result %s booster %s; no log has a declaration of it', name, coalesce(result, saved_result)::jsonb,
                  coalesce(booster, saved_booster))
         when log is null then null
         when outside is not null and saved_at < draws_at then
           format('%s has the result of %s saved at %s, before its draw time', name, outside, saved_at)
         when saved_result::jsonb is distinct from told_result or to_jsonb(saved_booster) is distinct from told_booster
           or saved_by is distinct from saver or confirmed_by is distinct from case when confirms then actor_id end
           or confirmed_by = saved_by or (confirms and (first_result, first_booster) is distinct from (told_result, told_booster)) then
           format('%s has the saved result %s booster %s by %s, confirmed by %s; row %s of the log of network %s says '
                  '%s booster %s by %s, confirmed by %s',
                  name, saved_result::jsonb, saved_booster, saved_by, coalesce(confirmed_by::text, 'nobody'), seq, log, told_result,
                  told_booster, saver, case when confirms then actor_id::text else 'nobody' end)
         when source = 'declared' and (told_generated or not stands) then
           format('%s has the declared result %s; after row %s of the log of network %s it is to be generated', name,
             result::jsonb, seq, log)
         when source = 'declared' and (settled_result is distinct from told_result or to_jsonb(booster) is distinct from told_booster) then
           format('%s has the declared result %s booster %s; row %s of the log of network %s says %s booster %s', name,
             result::jsonb, booster,
                  seq, log, told_result, told_booster)
         when source = 'generated' and status <> 'void' and not told_generated and stands then
           format('%s has a generated result; row %s of the log of network %s declares %s booster %s', name, seq, log,
             told_result, told_booster)
       end as problem from compared
       union all
       select format('draw %s of network %s has the %s result %s; its result was generated, says the log', d.id,
         d.network_id, d.source, d.result::jsonb)
       from draws d join done on done.draw_id = d.id where done.generated and not done.void and d.source is distinct from 'generated'
     ), wrong as (select problem from judged where problem is not null)`,
  );
}

interface LoggedSettings {
  readonly terms: LoggedTermsOfGames;
  readonly percentages: LoggedPercentages;
}

interface AuditedDraw extends ProvenDraw {
  seed: Buffer | null;
  result_label: string | null;
  terms_id: string;
  has_terms: boolean;
  has_root: boolean;
  clock_number: bigint | null;
  outside: string | null;
  closed_at: Date | null;
  finished_at: Date | null;
}

async function auditSeeds(db: Queryable, logged: LoggedSettings): Promise<Check> {
  const found = new Findings();
  let rows = 0;
  const pages = readPages<AuditedDraw>(
    db,
    sql`select d.network_id, d.id, d.game_id, g.game_key, g.family, g.digits, d.status as draw_status, d.commitment, d.seed,
            ${TICKET_ROOT} is not null as has_root, d.result, d.result_label, d.booster, d.source, d.opens_at,
              d.closes_at, d.draws_at, d.clock_number, d.outside, d.closed_at, d.finished_at,
            d.terms_id, terms.id is not null as has_terms, terms.rules_version, terms.unit_price, terms.pays, terms.weights,
            terms.result_mode, terms.manual_claims, terms.beacons, d.beacon_signatures
     from draws d left join games g on g.id = d.game_id left join draw_terms terms on terms.id = d.terms_id`,
  );
  for await (const page of pages) {
    rows += page.length;
    for (const draw of page)
      for (const problem of problemsIfReadable(draw, logged))
        found.add(`draw ${draw.id} of network ${draw.network_id}: ${problem}`);
  }
  return { name: 'every draw follows from its seed or a declaration', rows, problems: found.problems };
}

/** One malformed draw must not hide others. */
function problemsIfReadable(...[draw, logged]: Parameters<typeof problemsOfDraw>): string[] {
  try {
    return problemsOfDraw(draw, logged);
  } catch (error) {
    return [`It has a value that the server never writes: ${String(error)}`];
  }
}

/** No time zone is further from UTC. */
const MOST_OFFSET_MS = 15 * 3_600_000;

/** The number of a scheduled draw encodes a time near its draw time. */
function isOfClock({ closes_at, draws_at }: AuditedDraw, number: bigint): boolean {
  const [year, month, day, hour, minute] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(number))?.slice(1).map(Number) ?? [];
  const named = Date.UTC(year ?? Number.NaN, month! - 1, day, hour, minute);
  return Math.abs(named - draws_at.getTime()) <= MOST_OFFSET_MS && closes_at < draws_at;
}

/**
 * Times match an interval of this length, or the draw replaces one that does. For scheduled draws, the log's openings
 * hold the times.
 */
function isScheduled(draw: AuditedDraw): boolean {
  const { opens_at, closes_at, draws_at, clock_number } = draw;
  if (clock_number !== null) return isOfClock(draw, clock_number);
  const intervalSeconds = Math.round((draws_at.getTime() - opens_at.getTime()) / 1000);
  if (intervalSeconds <= 0) return false;
  const right = drawAt(opens_at, intervalSeconds);
  const afterMs = opens_at.getTime() - right.opensAt.getTime();
  const isOnTime = afterMs === 0 || afterMs === REPLACES_AFTER_MS;
  return isOnTime && right.drawsAt.getTime() === draws_at.getTime() && right.closesAt.getTime() === closes_at.getTime();
}

function problemsOfDraw(draw: AuditedDraw, logged: LoggedSettings): string[] {
  const { draw_status: status, result, booster, source, weights } = draw;
  const isFinished = status === 'settled' || status === 'void';
  const isPaid = status === 'settling' || status === 'settled';
  const isDrawn = status === 'drawn' || isPaid;
  if (!draw.has_terms) return [`The terms it was opened with, ${draw.terms_id}, are missing.`];
  const rules = auditedRules(draw);
  if (!rules)
    return [
      `Its game is missing or has no rules: ${draw.game_key}, ${draw.family}, ${draw.digits} outcomes, pays ${JSON.stringify(draw.pays)}.`,
    ];
  const problems = problemsOfTerms(draw, logged.terms);
  if (!isScheduled(draw))
    problems.push(
      `It opens at ${draw.opens_at.toISOString()}, closes at ${draw.closes_at.toISOString()} and is drawn ` +
        `at ${draw.draws_at.toISOString()}, ` +
        `which matches no ${draw.clock_number === null ? 'interval' : `draw named ${draw.clock_number}`}.`,
    );
  if ((draw.outside !== null) !== (draw.result_mode === 'outside'))
    problems.push(`Its results are ${draw.result_mode}, but it is of ${draw.outside ?? 'no outside lottery'}.`);
  if (draw.outside !== null && isDrawn && (source !== 'declared' || booster !== 1))
    problems.push(`${draw.outside} decides it, but its result is ${source ?? 'missing'} with booster ${booster}.`);
  if ((draw.seed !== null) !== isPaid && status !== 'void')
    problems.push(`It is ${status} and its seed is ${draw.seed ? 'published' : 'missing'}.`);
  if ((draw.finished_at !== null) !== isFinished)
    problems.push(`It is ${status} and ${draw.finished_at ? 'has' : 'lacks'} the time when it was finished.`);
  if ((draw.closed_at !== null) !== (status !== 'open'))
    problems.push(`It is ${status} and ${draw.closed_at ? 'has' : 'lacks'} the time when it was closed.`);
  if (draw.has_root !== (status !== 'open'))
    problems.push(`It is ${status} and ${draw.has_root ? 'has' : 'lacks'} the root of its tickets.`);
  if (!isBoosterWeights(weights, rules.maxBooster))
    problems.push(`Its weights are not ${rules.maxBooster} integers that sum to 10^9.`);
  else problems.push(...problemsOfOdds(draw, rules, logged.percentages));
  if ((isFinished || isPaid) && draw.seed) problems.push(...problemsOfProof(draw, draw.seed));
  if (!isDrawn && status !== 'void' && (result ?? booster ?? source) !== null)
    problems.push(`It is ${status} but has a result already.`);
  if (isDrawn && (source === null || !rules.isResult(result) || !isBooster(booster, rules.maxBooster)))
    problems.push(`It is ${status} but lacks a valid result, booster (1 to ${rules.maxBooster}) or source.`);
  else if (rules.isResult(result) && draw.result_label !== rules.resultLabel(result))
    problems.push(`Its result is labeled ${draw.result_label}, but is ${rules.resultLabel(result)}.`);
  return problems;
}

function isBooster(booster: number | null, max: number): boolean {
  return booster !== null && booster >= 1 && booster <= max;
}

/**
 * Repeats `requireSecondPerson` from the logs: neither person may have set the other's password within seven days.
 * Anyone may have made a shell reset, so it blocks all until the next password.
 */
function auditSecondPersons(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every confirmed result has two people',
    'confirmed',
    sql`confirmed as materialized (
       select d.network_id, d.id, d.saved_by, d.confirmed_by, ${LOGGED_AT} as at
       from audited.standing_activity l join draws d on d.id = ${loggedId('drawId')} and d.confirmed_by = l.account_id
       where l.detail -> 'confirms' = 'true'::jsonb
     ), given as materialized (
       select ${loggedId('accountId')} as account_id, account_id as by, ${LOGGED_AT} as at
       from audited.standing_activity
         where detail ? 'accountId'
           and (account_id is not null and (detail ->> 'password' = 'changed' or detail ? 'parentId')
             or detail ->> 'password' = 'from the shell')
     ), wrong as (
       select distinct format('draw %s of network %s was saved by %s and confirmed by %s, %s at %s',
                              c.id, c.network_id, c.saved_by, c.confirmed_by, case when g.by is null
                                then 'of whom one had its password set from the shell'
                                  else 'of whom one had set the password of the other' end, g.at) as problem
       from confirmed c join given g on (g.account_id, g.by) in ((c.saved_by, c.confirmed_by), (c.confirmed_by, c.saved_by))
         or g.by is null and g.account_id in (c.saved_by, c.confirmed_by)
            and not exists (select from given later where later.account_id = g.account_id and later.at > g.at and later.at <= c.at)
       where g.at <= c.at and g.at > c.at - interval '7 days'
     )`,
  );
}
