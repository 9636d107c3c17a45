-- The orders that lists are most often asked for in, each with the id that breaks its ties.
drop index accounts_role_username;
create index accounts_list_username on accounts (role, lower(username), id);
create index accounts_list_created on accounts (role, created_at, id);
create index accounts_list_unique_id on accounts (role, unique_id, id);
