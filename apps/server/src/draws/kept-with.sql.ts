/** SQL for who kept a part of the seed of a draw `d` beside the server, in words, as they stand in its terms; null of one that is self-kept. */
export const KEPT_WITH = `(select concat_ws(' and ',
    (select string_agg(one ->> 'name', ' and ' order by nth) from jsonb_array_elements(t.kept -> 'keepers') with ordinality as k (one, nth)),
    case when jsonb_typeof(t.kept -> 'beacon') = 'object' then 'a round of drand' end)
  from draw_terms t where t.id = d.terms_id and t.kept is not null)`;
