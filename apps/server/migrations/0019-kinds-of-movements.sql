-- What is neither a bet (7) nor what a draw pays (9, 10, 11), by its kind: so few beside those that statements could not find them. Bets
-- and draws have no rows in these indexes.
create index transfers_from_kind on transfers (network_id, from_wallet, kind, from_version) where kind not in (7, 9, 10, 11);
create index transfers_to_kind on transfers (network_id, to_wallet, kind, to_version) where kind not in (7, 9, 10, 11);
