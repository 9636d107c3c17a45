-- The orders that lists are asked for in, each with the id that breaks its ties. They hold the chain as well, so that a list is
-- read and counted from the index alone, however deep the page.
drop index accounts_role_username;
create index accounts_list_username on accounts (role, lower(username), id) include (username, chain) where deleted_at is null;
create index accounts_list_created on accounts (role, created_at, id) include (chain) where deleted_at is null;
create index accounts_list_unique_id on accounts (role, unique_id, id) include (chain) where deleted_at is null;
create index accounts_list_commission on accounts (role, commission, id) include (chain) where deleted_at is null;
create index accounts_list_active on accounts (role, active, id) include (chain) where deleted_at is null;
create index accounts_list_last_login on accounts (role, last_login_at nulls first, id) include (chain) where deleted_at is null;
-- The children of one account in the order of their ids.
drop index accounts_parent;
create index accounts_parent on accounts (parent_id, id) include (role, chain) where deleted_at is null;
