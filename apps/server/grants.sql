-- Rights of the serving role; unlisted tables are unreadable. The server applies this at each start, as table owner. By
-- hand: psql -v server=NAME -f grants.sql
revoke all on all tables in schema public from :"server";
grant usage on schema public to :"server";

-- The record: append-only.
grant select, insert on transfers, activity, tickets, ticket_wins, ticket_claims, ticket_prints, draw_settlements,
  draw_settlings, settlement_pieces, player_settlements, settled_remainders, draw_terms, rate_changes, protection_changes to :"server";
grant select, insert on ticket_corrections to :"server";
grant select, insert, update (done_at) on corrections to :"server";
grant select, insert on week_payments, week_terms, week_closings, week_notes to :"server";
grant select, insert on audit_verdicts, pinned_settings to :"server";
-- Opening times, commitment and terms of a draw never change. The sealed seed is deleted once public.
grant select, insert, update (status, closed_at, ticket_count, ticket_root, saved_result, saved_booster, saved_by,
  saved_at, saved_ip, cover, confirmed_by, confirmed_ip,
  result, result_label, booster, source, void_cause, seed, sealed_seed, finished_at, awaits_until, root_sealed_at,
    beacon_signatures) on draws to :"server";


-- Only these functions delete from the record; each checks every row. Policies limit their replacements to the staged
-- copy.
grant execute on function clear_transfers, clear_tickets, clear_draws, clear_log, hide_results, clear_accounts,
  clear_frequency to :"server";
grant select, insert, update (finished_at) on clearings to :"server";
grant select, insert on wallet_gaps, activity_gaps, cleared_draws, cleared_results, cleared_requests, cleared_days,
  cleared_marks, cleared_remainders to :"server";

grant select, insert, update (admin_id, wallets) on networks to :"server";
grant select, insert, update (balance, version, staked, protection, remainder, carried) on wallets to :"server";
grant select, insert, update on activity_heads, idempotency_keys, exposures, rollups, claim_sums,
  return_sums, accounts, house_settings, landing_settings, alert_thresholds, protections, api_key_days to :"server";
grant select, insert, update (next_at, last_at, last_amount, stopped_at, ended_at, ended_by, skipped, ending)
  on standing_orders to :"server";
grant select, insert, update (settled_at, balance, transfer_id, number, cell, refusal, failure) on sent_credit to :"server";
grant select, insert, delete on received_credit to :"server";
grant select, insert, update on approval_rules to :"server";
grant select, insert, update (state, expires_at, decided_at, decided_by, decided_login, reason, result) on approvals to :"server";
grant select, insert, update (ended_at, end_is_kept, last_used_at, minute_at, minute_tickets, stake_per_day,
  tickets_per_minute, addresses, name, permissions, credit_per_day, expires_at) on api_keys to :"server";
grant select, insert, update (last_login_at, removed_at, password_set_at, temporary_until, daily_limit, password_set_by,
  password_set_by_login, starts_minute, ends_minute, active, role, username, name, password_hash, permissions, games,
  addresses) on logins to :"server";
-- A day summed under a clock ahead is summed again.
grant select, insert, delete on liability_days to :"server";
grant select, insert, update, delete on sessions, elevations, past_sessions, servers, open_sockets, replaced_sessions,
  attempts, known_addresses, known_devices, factors, favorites, network_work, network_games,
  held_notices, notice_marks, notice_messages to :"server";

-- UPDATE also permits row locks.
grant select, insert, update on games to :"server";
grant select, insert, update, delete on schedules to :"server";
grant select, insert, update (seconds), delete on times to :"server";
grant select, insert, delete on game_times, images, game_images to :"server";

grant select, insert, update, delete on staged_accounts, staged_networks to :"server";
grant select, insert, delete on fences to :"server";
grant execute on function end_replication to :"server";
grant select, insert on restores, undone_activity, moves, moved_activity to :"server";
grant select, insert, delete on undone_draws, undone_tickets, undone_clearings, undone_cleared to :"server";
revoke all on function next_network, delete_beside, analyze_beside, put_beside, keep_key_hashes, shift_told from public;
grant execute on function next_network, delete_beside, analyze_beside, put_beside, keep_key_hashes, shift_told to :"server";
grant usage on schema audited to :"server";
grant select on all tables in schema audited to :"server";

-- Triggers record removals.
grant select, insert, update on seal_progress to :"server";
grant select on removals to :"server";
-- Triggers record a transaction's changes; rows are deleted once logged.
grant select, delete on pending_changes to :"server";

grant select on migrations to :"server";
