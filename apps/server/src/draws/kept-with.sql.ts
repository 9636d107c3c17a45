import { chainName, QUICKNET } from '@drawhouse/rules/drand-chain';

/** SQL for what a round of the chain of a draw is called. */
const ROUND = `case t.kept -> 'beacon' ->> 'hash' when '${QUICKNET.hash}' then 'a round of ${chainName(QUICKNET.hash)}' else 'a round of ${chainName('')}' end`;

/** SQL for who kept a part of the seed of a draw `d` beside the server, in words, as they stand in its terms; null of one that is self-kept. */
export const KEPT_WITH = `(select concat_ws(' and ',
    (select string_agg(one ->> 'name', ' and ' order by nth) from jsonb_array_elements(t.kept -> 'keepers') with ordinality as k (one, nth)),
    case when jsonb_typeof(t.kept -> 'beacon') = 'object' then ${ROUND} end)
  from draw_terms t where t.id = d.terms_id and t.kept is not null)`;
