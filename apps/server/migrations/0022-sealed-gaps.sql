-- What clearing leaves of histories, logs and requests is sealed too (docs/seals.md).
call keep_written('wallet_gaps', '*');
call keep_written('activity_gaps', '*');
call keep_written('cleared_requests', '');
create trigger wallet_gaps_removed after delete on wallet_gaps for each row execute function note_removal('network_id', 'wallet_id', 'first_version');
create trigger activity_gaps_removed after delete on activity_gaps for each row execute function note_removal('network_id', 'first_seq');

call audited.make_views();
