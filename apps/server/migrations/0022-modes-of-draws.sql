-- How results come about and whether wins wait to be claimed are terms of a draw, fixed when it opens. Null in the terms of draws that were
-- finished before: theirs went by what their game said at the time.
alter table draw_terms
  add column result_mode text check (result_mode in ('open', 'two-person', 'generated')),
  add column manual_claims boolean,
  add constraint draw_terms_modes check (num_nulls(result_mode, manual_claims) in (0, 2));

-- The draws that run get what their game says now; a result that was saved under the rule of two persons stays under it.
create temporary table terms_of_running on commit drop as
  with content as (
    select d.network_id, d.id as draw_id, t.rules_version, t.unit_price, t.pays, t.weights, g.manual_claims,
           case when g.result_mode = 'open' and d.saved_mode = 'two-person' then 'two-person' else g.result_mode end as result_mode
    from draws d join games g on g.id = d.game_id join draw_terms t on t.id = d.terms_id
    where d.status in ('open', 'closed', 'drawn')
  ), hashed as (
    select *, sha256(convert_to(
      format('terms:{"manualClaims":%s,"pays":{%s},"resultMode":"%s","rulesVersion":%s,"unitPrice":"%s","weights":%s}', manual_claims::text,
        (select string_agg(format('"%s":%s', head, pay), ',' order by head collate "C") from jsonb_each_text(pays) as p (head, pay)),
        result_mode, rules_version, unit_price, replace(weights::text, ', ', ',')), 'UTF8')) as hash
    from content
  )
  select *, encode(substr(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 1, 16), 'hex')::uuid as id
  from hashed;

insert into draw_terms (id, rules_version, unit_price, pays, weights, result_mode, manual_claims)
  select distinct id, rules_version, unit_price, pays, weights, result_mode, manual_claims from terms_of_running;
update draws d set terms_id = t.id from terms_of_running t where d.network_id = t.network_id and d.id = t.draw_id;

-- From where a result was declared and confirmed; how results came about then is in the terms.
alter table draws drop column saved_mode, add column saved_ip inet, add column confirmed_ip inet;

-- Who gave an account its password last, where that was somebody else, and when: for a while they are no second person for it.
alter table accounts
  add column password_set_at timestamptz,
  add column password_set_by uuid,
  add constraint accounts_password_set check (num_nulls(password_set_at, password_set_by) in (0, 2));
-- Admins alone have somebody above who declares results too.
update accounts a set (password_set_at, password_set_by) = (
  select at, by from (
    select a.created_at as at, a.parent_id as by
    union all
    select l.at, l.account_id from activity l
    where l.network_id = 0 and l.account_id is not null and l.detail ->> 'password' = 'changed' and l.detail ->> 'accountId' = a.id::text
  ) as told order by at desc limit 1)
  where a.role = 'admin' and a.parent_id is not null;
