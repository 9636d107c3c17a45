import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { checkWith, Findings, readPages, type Check } from '../audit-check.ts';
import { problemsOfRoots, type RootedDraw } from './audit-draw-sums.ts';
import { digestWith, SORTED } from '../tickets/audit-each-ticket.ts';
import { problemsOfProof, TICKET_ROOT, type ProvenDraw } from '../audited-rows.ts';

interface UndoneDraw extends ProvenDraw, RootedDraw {
  readonly seed: Buffer | null;
}

export async function auditUndone(db: Queryable): Promise<Check[]> {
  return [await auditUndoneDraws(db), ...(await auditUndoneTickets(db))];
}

async function auditUndoneDraws(db: Queryable): Promise<Check> {
  const found = new Findings();
  let rows = 0;
  const pages = readPages<UndoneDraw>(
    db,
    sql`select d.network_id, d.id, d.game_id, g.game_key, g.family, g.digits, d.status as draw_status, d.commitment, d.seed,
      d.result, d.booster, d.source,
            d.opens_at, d.closes_at, d.draws_at, ${TICKET_ROOT} as ticket_root, d.ticket_count, d.tickets_cleared, d.beacon_signatures,
            terms.rules_version, terms.unit_price, terms.pays, terms.weights, terms.result_mode, terms.manual_claims, terms.beacons
     from undone_draws d join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id`,
  );
  for await (const page of pages) {
    rows += page.length;
    for (const draw of page)
      for (const problem of draw.seed ? problemsOfProof(draw, draw.seed) : [])
        found.add(`undone draw ${draw.id} of network ${draw.network_id}: ${problem}`);
    for (const [networkId, draws] of Map.groupBy(page, (draw) => draw.network_id))
      found.addAll(await problemsOfRoots(db, networkId, draws, 'undone_tickets'));
  }
  return { name: 'every draw undone by a restore is unchanged', rows, problems: found.problems };
}

async function auditUndoneTickets(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      'every ticket undone by a restore is unchanged',
      'undone_tickets',
      sql`wrong as (
         select case
           when d.id is null then format('undone ticket %s of network %s is of draw %s, which no restore has undone',
             t.id, t.network_id, t.draw_id)
           else format('undone ticket %s of network %s has another digest than its lines and stake give', t.id, t.network_id)
         end as problem
         from undone_tickets t left join undone_draws d on d.network_id = t.network_id and d.id = t.draw_id
         where d.id is null or (t.digest <> ${digestWith(sql`t.lines`)} and t.digest <> ${digestWith(SORTED)})
       )`,
    ),
    await check(
      'nothing undone by a restore counts',
      'undone_draws',
      sql`wrong as (
         select format('draw %s of network %s was undone by a restore, and is %s', u.id, u.network_id, d.status) as problem
         from undone_draws u join draws d on d.network_id = u.network_id and d.id = u.id where d.status <> 'void'
         union all
         select format('ticket %s of network %s was made from a request whose ticket was cleared before a restore', t.id, t.network_id)
         from undone_cleared u join tickets t on t.network_id = u.network_id and t.request = u.id
       )`,
    ),
  ];
}
