-- How many accounts of a level a network has, without reading the accounts.
create index accounts_network on accounts (network_id, role, id) where deleted_at is null;
