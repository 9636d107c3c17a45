-- While a network is restored, its books are closed: everything that changes them takes the shared lock (3407520, number of the network) and is
-- refused where it cannot have it at once. A restore holds the same lock exclusively, on a connection of its own, from its start to its end. It first
-- waits for what is under way. A server that dies loses the connection, and with it the lock: the books are open again.
create function enter_books(number int) returns boolean language sql as
  $$ select pg_try_advisory_xact_lock_shared(3407520, number) $$;

-- The schedule passes over the draws of closed networks, and counts deadlines from when the books opened again.
alter table network_work add column reopened_at timestamptz, add column closed_network int;
create index network_work_closed on network_work (closed_network) where closed_network is not null;
