-- What clearing leaves of histories, logs and requests is sealed too (docs/seals.md).
call keep_written('wallet_gaps', '*');
call keep_written('activity_gaps', '*');
call keep_written('cleared_requests', '');
create trigger wallet_gaps_removed after delete on wallet_gaps for each row execute function note_removal('network_id', 'wallet_id', 'first_version');
create trigger activity_gaps_removed after delete on activity_gaps for each row execute function note_removal('network_id', 'first_seq');

-- As they were, but that a gap which grows stays the row that it is: what is removed is sealed as that, and so there is no more of it than gaps that became one.
create or replace function note_wallet_gaps(net integer, gone transfers[]) returns void language plpgsql as $$
declare merged wallet_gaps[];
begin
  with sides as (
    select t.from_wallet as wallet, t.from_version as version, t.from_balance as closing, -t.amount as amount, t.at from unnest(gone) as t
    union all select t.to_wallet, t.to_version, t.to_balance, t.amount, t.at from unnest(gone) as t
  ), placed as (
    select *, version - row_number() over (partition by wallet order by version) as run from sides
  ), runs as materialized (
    select wallet, min(version) as first_version, max(version) as last_version, (array_agg(closing - amount order by version))[1] as opening,
           (array_agg(closing order by version desc))[1] as closing, sum(greatest(amount, 0))::bigint as gained, sum(greatest(-amount, 0))::bigint as spent,
           min(at) as first_at, max(at) as last_at
    from placed group by wallet, run
  ), pieces as (
    select * from runs
    union
    select beside.wallet_id, beside.first_version, beside.last_version, beside.opening, beside.closing, beside.gained, beside.spent, beside.first_at,
           beside.last_at
    from runs r cross join lateral (
      select * from wallet_gaps g where g.network_id = net and g.wallet_id = r.wallet and g.first_version = r.last_version + 1
      union all
      select * from (select * from wallet_gaps g where g.network_id = net and g.wallet_id = r.wallet and g.first_version < r.first_version
                     order by g.first_version desc limit 1) as before where before.last_version = r.first_version - 1
    ) as beside
  ), parted as (
    select *, lag(last_version) over (partition by wallet order by first_version) is distinct from first_version - 1 as begins from pieces
  ), numbered as (
    select *, count(*) filter (where begins) over (partition by wallet order by first_version) as island from parted
  )
  select array_agg(gap) into merged from (
    select row(min(first_version), max(last_version), (array_agg(opening order by first_version))[1], (array_agg(closing order by first_version desc))[1],
               sum(gained), sum(spent), min(first_at), max(last_at), net, wallet, pg_current_xact_id())::wallet_gaps as gap
    from numbered group by wallet, island
  ) as gaps;
  delete from wallet_gaps g using unnest(merged) as m
  where g.network_id = net and g.wallet_id = m.wallet_id and g.first_version > m.first_version and g.first_version <= m.last_version;
  insert into wallet_gaps select * from unnest(merged)
  on conflict (network_id, wallet_id, first_version) do update set
    last_version = excluded.last_version, closing = excluded.closing, gained = excluded.gained, spent = excluded.spent, last_at = excluded.last_at,
    opening = excluded.opening, first_at = excluded.first_at;
end $$;

create or replace function note_log_gaps(net integer, gone_seqs bigint[], gone_hashes bytea[]) returns void language plpgsql as $$
declare merged activity_gaps[];
begin
  with placed as (
    select seq, hash, seq - row_number() over (order by seq) as run from unnest(gone_seqs, gone_hashes) as gone (seq, hash)
  ), runs as materialized (
    select min(seq) as first_seq, max(seq) as last_seq, (array_agg(hash order by seq desc))[1] as last_hash from placed group by run
  ), pieces as (
    select * from runs
    union
    select beside.first_seq, beside.last_seq, beside.last_hash from runs r cross join lateral (
      select * from activity_gaps g where g.network_id = net and g.first_seq = r.last_seq + 1
      union all
      select * from (select * from activity_gaps g where g.network_id = net and g.first_seq < r.first_seq order by g.first_seq desc limit 1) as before
      where before.last_seq = r.first_seq - 1
    ) as beside
  ), parted as (
    select *, lag(last_seq) over (order by first_seq) is distinct from first_seq - 1 as begins from pieces
  ), numbered as (select *, count(*) filter (where begins) over (order by first_seq) as island from parted)
  select array_agg(gap) into merged from (
    select row(min(first_seq), max(last_seq), net, (array_agg(last_hash order by first_seq desc))[1], pg_current_xact_id())::activity_gaps as gap from numbered group by island
  ) as gaps;
  delete from activity_gaps g using unnest(merged) as m where g.network_id = net and g.first_seq > m.first_seq and g.first_seq <= m.last_seq;
  insert into activity_gaps select * from unnest(merged)
  on conflict (network_id, first_seq) do update set last_seq = excluded.last_seq, last_hash = excluded.last_hash;
end $$;

call audited.make_views();
