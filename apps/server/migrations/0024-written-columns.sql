-- Whatever is sealed of a row gives it another transaction when it changes, also what nothing of the product changes.
create trigger accounts_created_changed before update on accounts for each row
  when (old.created_at is distinct from new.created_at) execute function mark_written();
create trigger api_keys_ending_changed before update on api_keys for each row
  when (old.ending is distinct from new.ending) execute function mark_written();
