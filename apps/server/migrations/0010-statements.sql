-- The latest transfer of each wallet, so that the next one gets an id above it whichever server makes it: a wallet's transfers in the
-- order of their ids are then its history, and the balance after each of them is a statement.
alter table wallets add column last_transfer uuid;
update wallets w set last_transfer = greatest(
  (select t.id from transfers t where t.network_id = w.network_id and t.debit_wallet = w.id order by t.id desc limit 1),
  (select t.id from transfers t where t.network_id = w.network_id and t.credit_wallet = w.id order by t.id desc limit 1));
