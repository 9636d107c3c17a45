-- Reports lead down to children that were deleted: without it each looks through all accounts there are.
create index accounts_deleted_children on accounts (parent_id) where deleted_at is not null;
