-- Whatever is sealed of a row gives it another transaction when it changes, also what nothing of the product changes.
create trigger accounts_created_changed before update on accounts for each row
  when (old.created_at is distinct from new.created_at) execute function mark_written();
create trigger api_keys_ending_changed before update on api_keys for each row
  when (old.ending is distinct from new.ending) execute function mark_written();
create trigger keeper_days_key_changed before update on keeper_days for each row
  when ((old.keeper, old.day) is distinct from (new.keeper, new.day)) execute function mark_written();
create trigger draw_keepers_key_changed before update on draw_keepers for each row
  when ((old.network_id, old.draw_id, old.place) is distinct from (new.network_id, new.draw_id, new.place)) execute function mark_written();
create trigger draw_beacons_key_changed before update on draw_beacons for each row
  when ((old.network_id, old.draw_id) is distinct from (new.network_id, new.draw_id)) execute function mark_written();
