-- What each head of a game pays, in hundredths per unit, by its name. Null: what its family pays by default.
alter table games add column pays jsonb;

-- What a draw was opened with, stored once for all draws that share it. The id follows from the rest (src/draws/draw-terms.ts), so that
-- no row can be changed under its id, and a draw that opens needs no look-up.
create table draw_terms (
  unit_price bigint not null check (unit_price > 0), -- hundredths of a point
  id uuid primary key,
  rules_version integer not null,
  pays jsonb not null, -- of every head, in hundredths per unit
  weights jsonb not null -- of the boosters 1, 2, …; they sum to 10^9
);

-- The draws that there are were opened with the price of their game and with what its family pays in version 1 of the rules.
create temporary table terms_of_draws on commit drop as
  with content as (
    select d.network_id, d.id as draw_id, d.rules_version, d.weights, g.unit_price, case g.family
        when 'numbers' then jsonb_build_object('number', greatest(1, g.digits * 9 / 10) * 100)
        when 'roulette' then jsonb_build_object('straight', case g.digits when 13 then 1200 else 3600 end)
        when 'triple' then '{"triple": 90000, "double": 9000, "single": 900}'
        when 'andarbahar' then '{"rank": 1200, "suit": 380, "color": 190}'
        when 'lottery3d' then '{"straight": 90000, "spbox": 15000, "dpbox": 30000, "ap": 6000, "fp": 9000, "bp": 9000, "sp": 9000}'
        when 'lottery4d' then '{"number": 9000}'
        when 'jodi' then '{"andhar": 5000, "bahar": 5000, "jodi": 5000}'
      end as pays
    from draws d join games g on g.id = d.game_id
  ), hashed as (
    select *, sha256(convert_to(format('terms:{"pays":{%s},"rulesVersion":%s,"unitPrice":"%s","weights":%s}',
      (select string_agg(format('"%s":%s', head, pay), ',' order by head collate "C") from jsonb_each_text(pays) as p (head, pay)),
      rules_version, unit_price, replace(weights::text, ', ', ',')), 'UTF8')) as hash
    from content
  )
  select *, encode(substr(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 1, 16), 'hex')::uuid as id
  from hashed;

insert into draw_terms (id, rules_version, unit_price, pays, weights)
  select distinct id, rules_version, unit_price, pays, weights from terms_of_draws;

-- The columns go first: the rows are then written anew without them.
alter table draws drop column rules_version, drop column weights, add column terms_id uuid references draw_terms (id);
update draws d set terms_id = t.id from terms_of_draws t where t.network_id = d.network_id and t.draw_id = d.id;
alter table draws alter column terms_id set not null;
